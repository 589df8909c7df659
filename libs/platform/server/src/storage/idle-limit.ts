import { Readable } from 'node:stream';
import type { LateError } from './time-limit';

/**
 * Hands a body on and fails it once the source stays silent for `idleMs`: a stalled S3 answer would otherwise stay
 * open for ever. Only waiting for the source counts, so a slow reader is not taken for a stalled storage.
 */
export function endedWhenIdle(source: Readable, idleMs: number, late: LateError): Readable {
  const body = Readable.from(watched(source, idleMs, late), {
    objectMode: false,
    highWaterMark: source.readableHighWaterMark,
  });
  body.once('close', () => source.destroy());
  return body;
}

async function* watched(source: Readable, idleMs: number, late: LateError): AsyncGenerator<Buffer> {
  const iterator = source.iterator({ destroyOnReturn: true }) as AsyncIterator<Buffer>;
  for (;;) {
    const timer = setTimeout(() => source.destroy(late()), idleMs);
    const step = await iterator.next().finally(() => clearTimeout(timer));
    if (step.done) return;
    yield step.value;
  }
}
