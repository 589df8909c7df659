/** File signatures: an offset, the bytes in hexadecimal, and the name of the type. The first match is used. */
const SIGNATURES: readonly (readonly [offset: number, bytes: string, label: () => string])[] = [
  [0, '89504e470d0a1a0a', () => $localize`PNG image`],
  [0, 'ffd8ff', () => $localize`JPEG image`],
  [0, '474946383761', () => $localize`GIF image`],
  [0, '474946383961', () => $localize`GIF image`],
  [8, '57454250', () => $localize`WebP image`],
  [4, '6674797061766966', () => $localize`AVIF image`],
  [4, '66747970686569', () => $localize`HEIC image`],
  [0, '49492a00', () => $localize`TIFF image`],
  [0, '4d4d002a', () => $localize`TIFF image`],
  [0, '38425053', () => $localize`Photoshop document`],
  [0, '00000100', () => $localize`Icon`],
  [0, '255044462d', () => $localize`PDF document`],
  [0, '1f8b', () => $localize`Gzip archive`],
  [0, '425a68', () => $localize`Bzip2 archive`],
  [0, 'fd377a585a00', () => $localize`XZ archive`],
  [0, '28b52ffd', () => $localize`Zstandard archive`],
  [0, '377abcaf271c', () => $localize`7-Zip archive`],
  [0, '526172211a07', () => $localize`RAR archive`],
  [257, '7573746172', () => $localize`Tar archive`],
  [0, '4d5a', () => $localize`Windows program`],
  [0, '7f454c46', () => $localize`Linux program`],
  [0, 'cffaedfe', () => $localize`macOS program`],
  [0, 'cafebabe', () => $localize`Java class or macOS program`],
  [0, '0061736d', () => $localize`WebAssembly module`],
  [0, '53514c69746520666f726d6174203300', () => $localize`SQLite database`],
  [0, '50415231', () => $localize`Parquet table`],
  [0, '4152524f5731', () => $localize`Arrow table`],
  [0, '774f4632', () => $localize`WOFF2 font`],
  [0, '774f4646', () => $localize`WOFF font`],
  [0, '4f54544f', () => $localize`OpenType font`],
  [0, '0001000000', () => $localize`TrueType font`],
  [8, '57415645', () => $localize`WAV sound`],
  [0, '494433', () => $localize`MP3 sound`],
  [0, 'fffb', () => $localize`MP3 sound`],
  [0, '664c6143', () => $localize`FLAC sound`],
  [0, '4f676753', () => $localize`Ogg sound or video`],
  [4, '66747970', () => $localize`MPEG-4 video or sound`],
  [0, '1a45dfa3', () => $localize`Matroska or WebM video`],
  [0, 'd0cf11e0a1b11ae1', () => $localize`Old Microsoft Office document`],
  [0, '7b5c727466', () => $localize`Rich text document`],
];

/** Formats that are ZIP archives, by file extension. */
const ZIPPED: Readonly<Record<string, () => string>> = {
  docx: () => $localize`Word document`,
  xlsx: () => $localize`Excel workbook`,
  pptx: () => $localize`PowerPoint presentation`,
  odt: () => $localize`OpenDocument text`,
  ods: () => $localize`OpenDocument table`,
  odp: () => $localize`OpenDocument presentation`,
  epub: () => $localize`EPUB book`,
  jar: () => $localize`Java archive`,
  apk: () => $localize`Android app`,
};

/** Detects the type of a file by its first bytes. @returns the translated name; undefined for unknown bytes. */
export function detectFileType(bytes: Uint8Array, name: string): string | undefined {
  if (startsWith(bytes, 0, '504b0304') || startsWith(bytes, 0, '504b0506')) {
    const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
    return (Object.hasOwn(ZIPPED, extension) ? ZIPPED[extension] : undefined)?.() ?? $localize`ZIP archive`;
  }
  return SIGNATURES.find(([offset, signature]) => startsWith(bytes, offset, signature))?.[2]();
}

function startsWith(bytes: Uint8Array, offset: number, signature: string): boolean {
  const wanted = signature.match(/../g) ?? [];
  return wanted.every((hex, index) => bytes[offset + index] === Number.parseInt(hex, 16));
}
