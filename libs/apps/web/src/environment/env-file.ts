/** A variable as an `.env` file states it. */
export interface EnvFileEntry {
  readonly name: string;
  readonly value: string;
}

/** The syntax of the package `dotenv`, which needs Node.js and so cannot run in a browser. */
const ENTRY =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm;
const QUOTES = /^(['"`])([\s\S]*)\1$/;

/** Reads the variables in the text of an `.env` file. The last of several entries with the same name counts. */
export function parseEnvFile(text: string): readonly EnvFileEntry[] {
  const entries = new Map<string, string>();
  for (const [, name = '', value = ''] of text.replaceAll(/\r\n?/g, '\n').matchAll(ENTRY)) {
    entries.set(name, unquoted(value.trim()));
  }
  return [...entries].map(([name, value]) => ({ name, value }));
}

/** Double quotes alone make `\n` a line break. */
function unquoted(value: string): string {
  const [, quote, inner = value] = QUOTES.exec(value) ?? [];
  return quote === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
}
