import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { assertDigests, type Digest, DigestVerifier } from '../domain/digests';
import { DigestMismatch, FileTooLarge } from '../domain/files.errors';
import { UploadRateMonitor } from './upload-rate-monitor';

export interface UploadBodyOptions {
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  readonly digests: readonly Digest[];
  /** Monitors the rate of the client and aborts the upload. */
  readonly sender?: UploadRateMonitor;
}

/** Buffers a body of declared size. @throws {DigestMismatch} @throws {ClientDisconnected} and the body's errors. */
export function bufferBody(
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
 * Passes bytes on and fails with `FileTooLarge`, or with `DigestMismatch` before the last chunk. The last chunk is held
 * back until the digests are verified, so a reader never gets a complete body that does not match them.
 */
export function verifyBody(
  body: Readable,
  { maxBytes, digests, sender = new UploadRateMonitor() }: UploadBodyOptions,
): Readable {
  const verifier = new DigestVerifier(digests);
  let size = 0;
  let last: Buffer | undefined;
  const checks = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      verifier.update(chunk);
      if (last) this.push(last);
      last = chunk;
      done(size > maxBytes ? new FileTooLarge(maxBytes) : null);
    },
    flush(done) {
      if (!verifier.matches) return done(new DigestMismatch());
      done(null, last);
    },
  });
  // Without a listener, an error before the first read would end the process.
  checks.on('error', () => undefined);
  body.once('error', (error) => checks.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) checks.destroy(new ClientDisconnected());
  });
  // A destroyed body emits no further events.
  if (body.destroyed) return checks.destroy(body.errored ?? new ClientDisconnected());
  sender.signal.addEventListener('abort', () => checks.destroy(sender.signal.reason as Error), { once: true });
  body.pipe(checks);
  sender.watch(body, checks);
  return checks;
}

/** The client closed the connection before the end of the body. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client disconnected before the end of the body');
  }
}
