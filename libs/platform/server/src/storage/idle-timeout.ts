import { Readable } from 'node:stream';
import type { TimeoutErrorFactory } from './storage-timeouts';

/**
 * Passes a body on and fails it when the source sends nothing for `idleMs`, because a stalled S3 response would
 * otherwise stay open without limit. Only waiting for the source counts, so a slow reader does not cause a timeout.
 * @param createTimeoutError creates the timeout error.
 * @param translate converts errors of the source for the reader.
 */
export function withIdleTimeout(
  source: Readable,
  idleMs: number,
  createTimeoutError: TimeoutErrorFactory,
  translate = (error: unknown) => error,
): Readable {
  const body = Readable.from(withTimeout(source, idleMs, createTimeoutError, translate), {
    objectMode: false,
    highWaterMark: source.readableHighWaterMark,
  });
  body.once('close', () => source.destroy());
  return body;
}

async function* withTimeout(
  source: Readable,
  idleMs: number,
  createTimeoutError: TimeoutErrorFactory,
  translate: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  const iterator = source.iterator({ destroyOnReturn: true }) as AsyncIterator<Buffer>;
  for (;;) {
    const timer = setTimeout(() => source.destroy(createTimeoutError()), idleMs);
    const step = await iterator
      .next()
      .catch((error: unknown) => {
        throw translate(error);
      })
      .finally(() => clearTimeout(timer));
    if (step.done) return;
    yield step.value;
  }
}
