import { type Bundle, type DetectionRule, SERVER_ENVIRONMENT } from './bundle';

export const PACKAGE = 'package.json';
const EXTENSIONS = ['mjs', 'js', 'cjs'];
/** `node`, its options, and one file. */
const START = /^node(?:\s+--\S+)*\s+(?:\.\/)?([\w@.][\w@./-]*)$/;
const LISTENS = /\.listen\s*\(|\bserve\s*\(|\bcreateServer\s*\(/;
const DEFAULT_EXPORT = /\bexport\s+default\b|\bas\s+default\b/;

/** The files at the top that can be a server, likeliest first. */
export const NODE_ENTRIES: readonly string[] = ['server', 'index'].flatMap((name) =>
  EXTENSIONS.map((extension) => `${name}.${extension}`),
);

/** Any other server for Node.js, which serves its files itself. */
export const detectNode: DetectionRule = (bundle) => {
  const entry = startScriptOf(bundle) ?? NODE_ENTRIES.find((path) => bundle.paths.has(path));
  if (entry === undefined) return undefined;
  const text = bundle.texts.get(entry);
  const isHandler = text !== undefined && DEFAULT_EXPORT.test(text) && !LISTENS.test(text);
  const start = isHandler ? ({ kind: 'handler', exportName: 'default' } as const) : ({ kind: 'script' } as const);
  return {
    plan: { framework: 'node', ...start, entry, environment: SERVER_ENVIRONMENT },
    staticFiles: new Map(),
    problems: [],
  };
};

/** The file that `scripts.start` of the package runs with Node.js; undefined when it runs something else. */
export function startScriptOf({ paths, texts }: Bundle): string | undefined {
  const file = startFileOf(texts.get(PACKAGE));
  if (file === undefined) return undefined;
  return [file, ...EXTENSIONS.map((extension) => `${file}.${extension}`), `${file}/index.js`].find((path) =>
    paths.has(path),
  );
}

/** @param text of `package.json`. @returns the file that its start script runs with Node.js, as it names it. */
export function startFileOf(text: string | undefined): string | undefined {
  return START.exec(startCommandOf(text))?.[1];
}

/** @param text of `package.json`. @returns its start script; an empty text without one. */
export function startCommandOf(text: string | undefined): string {
  try {
    const { scripts } = JSON.parse(text ?? '') as { readonly scripts?: { readonly start?: unknown } };
    return typeof scripts?.start === 'string' ? scripts.start.trim() : '';
  } catch {
    return '';
  }
}
