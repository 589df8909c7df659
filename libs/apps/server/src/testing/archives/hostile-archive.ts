import { createHash } from 'node:crypto';
import type { ArchiveFormat } from '../../application/deploys/archive-reader.port';
import type { ArchiveLimits } from '../../domain/deploys/archive-limits';

/** An archive that somebody made to do harm, or that broke on its way. */
export interface HostileArchive {
  readonly name: string;
  readonly format: ArchiveFormat;
  /** Made when they are asked for: a bomb is large until it is packed. */
  readonly bytes: () => Buffer;
  /** Lower than usual, for archives that would be large otherwise. */
  readonly limits?: Partial<ArchiveLimits>;
  /** What one of the reasons says. */
  readonly expectedReason: RegExp;
}

export const MIB = 1024 * 1024;

/** Bytes that cannot be packed, the same every time. */
export function noise(bytes: number): Buffer {
  return createHash('shake256', { outputLength: bytes }).update(String(bytes)).digest();
}

/** `count` places in `bytes`, from its first to its last. */
export function spread(bytes: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(((bytes - 1) * index) / (count - 1)));
}

/** A copy with some bits of one byte turned. */
export function flipped(bytes: Buffer, offset: number, mask = 0xff): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(offset) ^ mask, offset);
  return copy;
}
