/** The block of data at the start of a Markdown file. */
export interface FrontMatter {
  /** Names and values as written; undefined when the data is not a plain list of them. */
  readonly rows: readonly (readonly [name: string, value: string])[] | undefined;
  readonly source: string;
  /** The Markdown after the block. */
  readonly body: string;
}

/** Separates the front matter from a Markdown file; undefined when it has none. */
export function frontMatter(text: string): FrontMatter | undefined {
  const found = /^\ufeff?---[ \t]*\r?\n([\s\S]*?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) return undefined;
  const source = (found[1] ?? '').trimEnd();
  return { rows: rowsOf(source), source, body: text.slice(found[0].length) };
}

function rowsOf(source: string): (readonly [string, string])[] | undefined {
  const rows: [string, string][] = [];
  for (const line of source.split(/\r?\n/)) {
    const pair = /^([\w][\w .-]*):(?:\s+(.*))?$/.exec(line);
    const item = /^\s+(?:-\s+)?(\S.*)$|^-\s+(.*)$/.exec(line);
    const last = rows.at(-1);
    if (pair) rows.push([pair[1] ?? '', plain(pair[2] ?? '')]);
    else if (item && last) last[1] = [last[1], plain(item[1] ?? item[2] ?? '')].filter(Boolean).join(', ');
    else if (line.trim() !== '' && !line.startsWith('#')) return undefined;
  }
  return rows;
}

function plain(value: string): string {
  const text = value.trim();
  const quoted = /^(["'])(.*)\1$/.exec(text);
  return quoted?.[2] ?? text.replace(/^\[(.*)\]$/, '$1');
}
