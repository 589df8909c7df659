import { Readable } from 'node:stream';
import type { TimeoutErrorFactory } from './storage-timeouts';

/**
 * Hands a body on and fails it once the source stays silent for `idleMs`: a stalled S3 answer would otherwise stay
 * open for ever. Only waiting for the source counts, so a slow reader is not taken for a stalled storage.
 * @param named what the reader is told when the source fails.
 */
export function withIdleTimeout(
  source: Readable,
  idleMs: number,
  late: TimeoutErrorFactory,
  named = (error: unknown) => error,
): Readable {
  const body = Readable.from(watched(source, idleMs, late, named), {
    objectMode: false,
    highWaterMark: source.readableHighWaterMark,
  });
  body.once('close', () => source.destroy());
  return body;
}

async function* watched(
  source: Readable,
  idleMs: number,
  late: TimeoutErrorFactory,
  named: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  const iterator = source.iterator({ destroyOnReturn: true }) as AsyncIterator<Buffer>;
  for (;;) {
    const timer = setTimeout(() => source.destroy(late()), idleMs);
    const step = await iterator
      .next()
      .catch((error: unknown) => {
        throw named(error);
      })
      .finally(() => clearTimeout(timer));
    if (step.done) return;
    yield step.value;
  }
}
