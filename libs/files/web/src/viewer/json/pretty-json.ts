const INDENT = '  ';
/** Indentation grows with depth: beyond this, a small text could become gigabytes. */
const MAX_DEPTH = 500;

export type PrettyJson =
  | { readonly text: string; readonly fault?: undefined }
  | { readonly fault: 'invalid' | 'too-deep'; readonly text?: undefined };

/**
 * JSON with two spaces of indentation. Only white space between tokens changes: every number, string, repeated key
 * and the order of keys stay as they were written, which parsing and printing would not keep.
 */
export function prettyJson(source: string): PrettyJson {
  return isJson(source) ? printTokens(source) : { fault: 'invalid' };
}

function isJson(source: string): boolean {
  try {
    // The value is looked at, because bundlers drop calls whose value nobody uses, and with them what they throw.
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
    const sign = source.charAt(at);
    let end = at + 1;
    if (sign === '"') end = stringEnd(source, at);
    else if (/[-\w]/.test(sign)) while (end < source.length && /[-+.\w]/.test(source.charAt(end))) end += 1;
    if (!/\s/.test(sign)) yield source.slice(at, end);
    at = end;
  }
}

function stringEnd(source: string, start: number): number {
  let at = start + 1;
  while (source.charAt(at) !== '"') at += source.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
