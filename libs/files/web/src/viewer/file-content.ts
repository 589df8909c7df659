import { prettyJson } from './pretty-json';

/** Larger files are offered for download: a page that shows them would hardly scroll. */
export const MAX_SHOWN_BYTES = 10 * 1024 * 1024;

/** What the viewer shows of a file. */
export type FileContent =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly notice?: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'too-large' };

const NOTICES = {
  invalid: 'This is not valid JSON. It is shown as it is.',
  'too-deep': 'This JSON is nested too deeply to be laid out. It is shown as it is.',
} as const;

/** What to show of a file's bytes, by the extension of its name; bytes that are no text are told apart. */
export function contentOf(name: string, bytes: Uint8Array): FileContent {
  const text = textOf(bytes);
  if (text === undefined) return { kind: 'binary' };
  if (/\.mdx?$/i.test(name)) return { kind: 'markdown', text };
  if (!/\.json$/i.test(name) || text.trim() === '') return { kind: 'text', text };
  const pretty = prettyJson(text);
  return pretty.fault ? { kind: 'text', text, notice: NOTICES[pretty.fault] } : { kind: 'text', text: pretty.text };
}

/** Whether a file is known to be no text before it is read. SVG is text. */
export function isKnownBinary(contentType: string): boolean {
  return (
    /^(audio|font|video)\/|^image\/(?!svg)/i.test(contentType) ||
    /^application\/(pdf|gzip|zip|wasm|vnd\.openxmlformats)/i.test(contentType)
  );
}

/** What a file is, in words. */
export function fileKind(name: string, contentType: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase();
  const family = contentType.split('/')[0] ?? '';
  const noun = { image: 'image', audio: 'sound', video: 'video', font: 'font' }[family] ?? 'file';
  return extension ? `${extension} ${noun}` : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** UTF-8, unless a byte order mark says otherwise. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
