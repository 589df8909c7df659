export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** Control characters that texts do not contain: all except tab, line breaks, form feed and escape. */
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** Decodes bytes as text, as Unicode or else as Windows-1252; undefined when they are not text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const encoding = encodingFromBom(bytes);
  const unicode = decoded(bytes, encoding);
  if (unicode !== undefined) return unicode.includes('\0') ? undefined : { text: unicode, encoding };
  if (encoding !== 'utf-8') return undefined;
  const western = decoded(bytes, 'windows-1252');
  return western === undefined || CONTROLS.test(western) ? undefined : { text: western, encoding: 'windows-1252' };
}

/** The encoding by byte order mark; UTF-8 without one. */
export function encodingFromBom([first, second]: Uint8Array): Exclude<TextEncoding, 'windows-1252'> {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The encoding of a text by its first bytes, which may end inside a character; undefined when it is not text. */
export function encodingOfSample(sample: Uint8Array): TextEncoding | undefined {
  if (encodingFromBom(sample) === 'utf-8' && sample.includes(0)) return undefined;
  const whole = sample.subarray(0, sample.length - (sample.length % 2));
  for (let cut = 0; cut < 4 && cut <= whole.length; cut += 1) {
    const found = decodeText(whole.subarray(0, whole.length - cut));
    if (found && found.encoding !== 'windows-1252') return found.encoding;
  }
  return decodeText(whole)?.encoding;
}

function decoded(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
