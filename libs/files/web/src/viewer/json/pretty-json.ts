const INDENT = '  ';
/** Indentation grows with depth: with deeper nesting, a small text could become gigabytes. */
const MAX_DEPTH = 500;

export type PrettyJson =
  | { readonly text: string; readonly fault?: undefined }
  | { readonly fault: 'invalid' | 'too-deep'; readonly text?: undefined };

/**
 * Formats JSON with two spaces of indentation. Only white space between tokens changes: numbers, strings, repeated keys
 * and the order of keys stay exactly as written, unlike with `JSON.parse` and `JSON.stringify`.
 */
export function prettyJson(source: string): PrettyJson {
  return isJson(source) ? printTokens(source) : { fault: 'invalid' };
}

function isJson(source: string): boolean {
  try {
    // Uses the value, because bundlers remove calls with unused results, including their exceptions.
    return JSON.parse(source) !== undefined;
  } catch {
    return false;
  }
}

function printTokens(source: string): PrettyJson {
  const out: string[] = [];
  let depth = 0;
  let opened = false;
  for (const token of tokensOf(source)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if (opened && !closes) out.push('\n', INDENT.repeat(depth));
    else if (!opened && closes) out.push('\n', INDENT.repeat(depth));
    out.push(token);
    opened = token === '{' || token === '[';
    if (opened) depth += 1;
    if (depth > MAX_DEPTH) return { fault: 'too-deep' };
    if (token === ',') out.push('\n', INDENT.repeat(depth));
    if (token === ':') out.push(' ');
  }
  return { text: out.join('') };
}

/** The tokens of valid JSON, without the white space between them. */
function* tokensOf(source: string): Generator<string> {
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    let end = at + 1;
    if (char === '"') end = stringEnd(source, at);
    else if (/[-\w]/.test(char)) while (end < source.length && /[-+.\w]/.test(source.charAt(end))) end += 1;
    if (!/\s/.test(char)) yield source.slice(at, end);
    at = end;
  }
}

function stringEnd(source: string, start: number): number {
  let at = start + 1;
  while (source.charAt(at) !== '"') at += source.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
