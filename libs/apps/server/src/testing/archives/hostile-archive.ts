import { createHash } from 'node:crypto';
import type { ArchiveFormat } from '../../deploys/application/archive-reader.port';
import type { ArchiveLimits } from '../../deploys/domain/archive-limits';

/** An archive that is malicious or damaged. */
export interface HostileArchive {
  readonly name: string;
  readonly format: ArchiveFormat;
  /** Created on demand, because an unpacked bomb is large. */
  readonly bytes: () => Buffer;
  /** Lower limits, so that the archive can stay small. */
  readonly limits?: Partial<ArchiveLimits>;
  /** Matches one of the rejection reasons. */
  readonly expectedReason: RegExp;
  /** Whether reading it takes seconds. */
  readonly isSlow?: boolean;
}

export const MIB = 1024 * 1024;

/** Returns incompressible bytes that are the same on every run. */
export function noise(bytes: number): Buffer {
  return createHash('shake256', { outputLength: bytes }).update(String(bytes)).digest();
}

/** Returns `count` offsets in `bytes`, evenly spread from the first byte to the last. */
export function spread(bytes: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(((bytes - 1) * index) / (count - 1)));
}

/** Returns a copy with bits of one byte flipped. */
export function flipped(bytes: Buffer, offset: number, mask = 0xff): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(offset) ^ mask, offset);
  return copy;
}
