/** The position of the first syntax error; both values start at 1. */
export interface JsonErrorPosition {
  readonly line: number;
  readonly column: number;
}

const TOKEN =
  /[ \t\r\n]+|[[\]{},:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'end';

/** Finds the first syntax error of an invalid JSON text. */
export function findJsonError(text: string): JsonErrorPosition {
  const before = text.slice(0, errorOffset(text));
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function errorOffset(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return at;
    if (!/^\s/.test(token)) {
      const next = step(token, expected, open);
      if (next === undefined) return at;
      expected = next;
    }
    at += token.length;
  }
  return at;
}

/** The tokens expected after a token; undefined when the token itself is not allowed. */
function step(token: string, expected: Expected, open: string[]): Expected | undefined {
  const isKey = expected === 'key' || expected === 'key-or-end';
  if (isKey && token.startsWith('"')) return 'colon';
  if (token === ':') return expected === 'colon' ? 'value' : undefined;
  if (token === ',') return expected === 'comma-or-end' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined;
  if (token === '}' || token === ']') return close(token, expected, open);
  if (expected !== 'value' && expected !== 'value-or-end') return undefined;
  if (token !== '{' && token !== '[') return open.length > 0 ? 'comma-or-end' : 'end';
  open.push(token);
  return token === '{' ? 'key-or-end' : 'value-or-end';
}

function close(token: string, expected: Expected, open: string[]): Expected | undefined {
  const first = token === '}' ? 'key-or-end' : 'value-or-end';
  if (open.at(-1) !== (token === '}' ? '{' : '[') || (expected !== 'comma-or-end' && expected !== first))
    return undefined;
  open.pop();
  return open.length > 0 ? 'comma-or-end' : 'end';
}
