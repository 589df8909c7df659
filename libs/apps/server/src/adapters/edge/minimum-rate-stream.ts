import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { MinimumRate, type RateFloor } from '@homeport/platform/server';
import type { StreamSlot } from '../../application/sites/stream-slots';

/** 4.3 KiB/s. The window is long because a system accepts bytes for a slow connection in steps of up to some 100 KiB. */
const DOWNLOAD_RATE_FLOOR: RateFloor = { bytes: 256 * 1024, windowMs: 60_000, graceMs: 0 };

/** The visitor takes the file too slowly, or stalls while others wait for the place. */
export class ReaderTooSlow extends Error {
  override readonly name = 'ReaderTooSlow';
}

/**
 * Sends a stream after the head of an answer.
 * @param left aborted when the visitor leaves.
 * @throws {ReaderTooSlow}
 */
export async function sendWithMinimumRate(
  source: Readable,
  response: ServerResponse,
  place: StreamSlot,
  left: AbortSignal,
): Promise<void> {
  const rate = new MinimumRate(DOWNLOAD_RATE_FLOOR);
  const ended = AbortSignal.any([left, place.signal, rate.signal]);
  const waitFor = async (event: Promise<unknown>, bytes: number) => {
    place.stalledSince = performance.now();
    rate.waiting();
    await event;
    place.stalledSince = undefined;
    rate.received(bytes);
  };
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      ended.throwIfAborted();
      if (response.write(chunk)) rate.received(chunk.length);
      else await waitFor(once(response, 'drain', { signal: ended }), chunk.length);
    }
    response.end();
    await waitFor(finished(response, { signal: ended }), 0);
  } catch (error) {
    if (!left.aborted && ended.aborted) throw new ReaderTooSlow();
    throw error;
  } finally {
    rate.stop();
  }
}
