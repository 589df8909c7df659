/** Where a text stops being JSON; both counted from 1. */
export interface JsonErrorPosition {
  readonly line: number;
  readonly column: number;
}

const TOKEN =
  /[ \t\r\n]+|[[\]{},:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Wanted = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'end';

/** The first place of a text at which it cannot be JSON any more. For texts that are not valid. */
export function findJsonError(text: string): JsonErrorPosition {
  const before = text.slice(0, errorOffset(text));
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function errorOffset(text: string): number {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return at;
    if (!/^\s/.test(token)) {
      const next = step(token, wanted, open);
      if (next === undefined) return at;
      wanted = next;
    }
    at += token.length;
  }
  return at;
}

/** What may come after a token; undefined when the token itself may not. */
function step(token: string, wanted: Wanted, open: string[]): Wanted | undefined {
  const isKey = wanted === 'key' || wanted === 'key-or-end';
  if (isKey && token.startsWith('"')) return 'colon';
  if (token === ':') return wanted === 'colon' ? 'value' : undefined;
  if (token === ',') return wanted === 'comma-or-end' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined;
  if (token === '}' || token === ']') return close(token, wanted, open);
  if (wanted !== 'value' && wanted !== 'value-or-end') return undefined;
  if (token !== '{' && token !== '[') return open.length > 0 ? 'comma-or-end' : 'end';
  open.push(token);
  return token === '{' ? 'key-or-end' : 'value-or-end';
}

function close(token: string, wanted: Wanted, open: string[]): Wanted | undefined {
  const first = token === '}' ? 'key-or-end' : 'value-or-end';
  if (open.at(-1) !== (token === '}' ? '{' : '[') || (wanted !== 'comma-or-end' && wanted !== first)) return undefined;
  open.pop();
  return open.length > 0 ? 'comma-or-end' : 'end';
}
