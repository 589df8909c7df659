const PER_ROW = 16;

export interface HexRow {
  readonly place: string;
  readonly bytes: string;
  /** The same bytes as ASCII, with a dot for each unprintable byte. */
  readonly signs: string;
}

/** Formats bytes as the rows of a hex dump. */
export function hexRows(bytes: Uint8Array): readonly HexRow[] {
  return Array.from({ length: Math.ceil(bytes.length / PER_ROW) }, (_, row) => {
    const part = [...bytes.subarray(row * PER_ROW, (row + 1) * PER_ROW)];
    return {
      place: (row * PER_ROW).toString(16).padStart(4, '0'),
      bytes: part.map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
      signs: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
    };
  });
}
