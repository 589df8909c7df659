export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** Signs that stand in no text people write: everything below the space but tab, breaks, form feed and escape. */
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** Bytes as text; undefined when they are none. What is not Unicode is read as Western text if it looks like text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const encoding = encodingFromBom(bytes);
  const unicode = decoded(bytes, encoding);
  if (unicode !== undefined) return unicode.includes('\0') ? undefined : { text: unicode, encoding };
  if (encoding !== 'utf-8') return undefined;
  const western = decoded(bytes, 'windows-1252');
  return western === undefined || CONTROLS.test(western) ? undefined : { text: western, encoding: 'windows-1252' };
}

/** UTF-8, unless a byte order mark says otherwise. */
export function encodingFromBom([first, second]: Uint8Array): Exclude<TextEncoding, 'windows-1252'> {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The encoding of a text of which only the beginning is known, which may end inside a character. */
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
