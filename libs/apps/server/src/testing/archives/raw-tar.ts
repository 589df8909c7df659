import { gzipSync } from 'node:zlib';

const BLOCK = 512;

/** One entry of a tar file, which may be malformed. */
export interface TarPart {
  readonly name: string | Buffer;
  readonly body?: Buffer | string;
  /** The type flag; '0' is a regular file. */
  readonly type?: string;
  readonly linkname?: string;
  /** The raw field, when it differs from the length of the body. */
  readonly size?: string | Buffer;
  readonly magic?: string;
  /** Changes the header block after its checksum is written. */
  readonly spoil?: (header: Buffer) => void;
}

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}

function put(header: Buffer, value: string | Buffer, offset: number): void {
  Buffer.from(value as string).copy(header, offset);
}

/** Recomputes the checksum of a header. */
export function signed(header: Buffer): Buffer {
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(header, `${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

export function tarEntry(part: TarPart): Buffer {
  const body = Buffer.from((part.body ?? '') as string);
  const header = Buffer.alloc(BLOCK);
  put(header, Buffer.from(part.name as string).subarray(0, 100), 0);
  put(header, octal(0o644, 7), 100);
  put(header, octal(0, 7), 108);
  put(header, octal(0, 7), 116);
  put(header, part.size ?? octal(body.length, 11), 124);
  put(header, octal(0, 11), 136);
  put(header, part.type ?? '0', 156);
  put(header, part.linkname ?? '', 157);
  put(header, part.magic ?? 'ustar\x0000', 257);
  signed(header);
  part.spoil?.(header);
  return Buffer.concat([header, padded(body)]);
}

export function tarOf(...parts: readonly TarPart[]): Buffer {
  return Buffer.concat([...parts.map(tarEntry), Buffer.alloc(2 * BLOCK)]);
}

export function tarGzOf(...parts: readonly TarPart[]): Buffer {
  return gzipSync(tarOf(...parts));
}

/** A pax header, which holds values that do not fit into the header of the next entry. */
export function paxHeader(records: Record<string, string | Buffer>): TarPart {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value as string), Buffer.from('\n')]);
    let length = rest.length + 1;
    while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
    return Buffer.concat([Buffer.from(String(length)), rest]);
  });
  return { name: 'PaxHeader', type: 'x', body: Buffer.concat(lines) };
}

/** GNU's extension for long names. */
export function gnuLongName(name: string): TarPart {
  return { name: '././@LongLink', type: 'L', body: `${name}\0`, magic: 'ustar  \0' };
}
