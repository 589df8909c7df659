import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { MinimumRate, type MinimumRateOptions } from '@homeport/kernel/node';
import type { StreamSlot } from '../../application/stream-slots';

/**
 * 4.3 KiB/s. The window is long because a system accepts bytes for a slow connection in steps of up to about 100 KiB.
 */
const DOWNLOAD_MINIMUM_RATE: MinimumRateOptions = { bytes: 256 * 1024, windowMs: 60_000, graceMs: 0 };

/** The client reads too slowly, or stalls while other clients wait for its slot. */
export class ReaderTooSlow extends Error {
  override readonly name = 'ReaderTooSlow';
}

/**
 * Streams a body after the head of a response.
 * @param disconnected aborted when the client disconnects.
 * @throws {ReaderTooSlow}
 */
export async function sendWithMinimumRate(
  source: Readable,
  response: ServerResponse,
  slot: StreamSlot,
  disconnected: AbortSignal,
): Promise<void> {
  const rate = new MinimumRate(DOWNLOAD_MINIMUM_RATE);
  const stopSignal = AbortSignal.any([disconnected, slot.signal, rate.signal]);
  const waitFor = async (event: Promise<unknown>, bytes: number) => {
    slot.stalledSince = performance.now();
    rate.waiting();
    await event;
    slot.stalledSince = undefined;
    rate.received(bytes);
  };
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      stopSignal.throwIfAborted();
      if (response.write(chunk)) rate.received(chunk.length);
      else await waitFor(once(response, 'drain', { signal: stopSignal }), chunk.length);
    }
    response.end();
    await waitFor(finished(response, { signal: stopSignal }), 0);
  } catch (error) {
    if (!disconnected.aborted && stopSignal.aborted) throw new ReaderTooSlow();
    throw error;
  } finally {
    rate.stop();
  }
}
