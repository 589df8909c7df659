/** The size of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size of a picture from its header, so that a small file with a huge picture is not decoded.
 * @returns undefined when the content is not a complete PNG, GIF, JPEG or WebP header.
 */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (startsWith(bytes, '\x89PNG')) return { width: view.getUint32(16), height: view.getUint32(20) };
    if (startsWith(bytes, 'GIF8')) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (startsWith(bytes, '\xff\xd8')) return jpegSize(view);
    if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return webpSize(bytes, view);
    return undefined;
  } catch (error) {
    // The content ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function jpegSize(view: DataView): PictureSize {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    // Start-of-frame markers, without the tables C4, C8 and CC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
  }
}

function webpSize(bytes: Uint8Array, view: DataView): PictureSize | undefined {
  if (startsWith(bytes, 'VP8 ', 12))
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (startsWith(bytes, 'VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (!startsWith(bytes, 'VP8X', 12)) return undefined;
  const uint24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000;
  return { width: uint24(24) + 1, height: uint24(27) + 1 };
}

function startsWith(bytes: Uint8Array, signature: string, at = 0): boolean {
  return [...signature].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}
