import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { assertDigests, type Digest, DigestVerifier } from '../domain/digests';
import { DigestMismatch, FileTooLarge } from '../domain/files.errors';
import { UploadRateMonitor } from './upload-rate-monitor';

export interface UploadBodyOptions {
  /** Bytes. */
  readonly maxBytes: number;
  readonly digests: readonly Digest[];
  /** Watches the client, and ends the upload when that has to be. */
  readonly sender?: UploadRateMonitor;
}

/** The whole of a body whose size was declared. @throws {DigestMismatch} and what the body fails with. */
export function bufferedBody(
  body: Readable,
  { digests, sender = new UploadRateMonitor() }: Omit<UploadBodyOptions, 'maxBytes'>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (body.destroyed) return reject(body.errored ?? new ClientDisconnected());
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.once('error', reject);
    sender.signal.addEventListener('abort', () => reject(sender.signal.reason as Error), { once: true });
    sender.watch(body);
    body.once('close', () => reject(new ClientDisconnected()));
    body.once('end', () => {
      try {
        const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
        assertDigests(bytes, digests);
        resolve(bytes);
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

/**
 * Passes bytes on and breaks off when there are too many, or when they are not the ones the digests were made of. The
 * last chunk waits until that is certain: whoever reads never has the whole of a body that is not what it claims.
 */
export function checkedBody(
  body: Readable,
  { maxBytes, digests, sender = new UploadRateMonitor() }: UploadBodyOptions,
): Readable {
  const running = new DigestVerifier(digests);
  let size = 0;
  let last: Buffer | undefined;
  const checks = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      running.update(chunk);
      if (last) this.push(last);
      last = chunk;
      done(size > maxBytes ? new FileTooLarge(maxBytes) : null);
    },
    flush(done) {
      if (!running.matches) return done(new DigestMismatch());
      done(null, last);
    },
  });
  // Between here and the first read nobody else listens, and an unheard error would end the process.
  checks.on('error', () => undefined);
  body.once('error', (error) => checks.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) checks.destroy(new ClientDisconnected());
  });
  // Whoever has left already says nothing any more.
  if (body.destroyed) return checks.destroy(body.errored ?? new ClientDisconnected());
  sender.signal.addEventListener('abort', () => checks.destroy(sender.signal.reason as Error), { once: true });
  body.pipe(checks);
  sender.watch(body, checks);
  return checks;
}

/** Nobody is left to hear of it. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client left before the end of the body');
  }
}
