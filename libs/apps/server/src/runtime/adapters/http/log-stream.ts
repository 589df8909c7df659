import { Readable } from 'node:stream';
import type { LogLine } from '@homeport/apps/contracts';

/** How long clients wait before they connect again. */
const RETRY_MS = 1_000;

/** Writes lines as server-sent events, whose ids let a client resume. */
export function logStream(batches: AsyncIterable<readonly LogLine[]>): Readable {
  return Readable.from(events(batches), { objectMode: false });
}

async function* events(batches: AsyncIterable<readonly LogLine[]>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const lines of batches) {
    // A comment keeps proxies and browsers from closing a connection without traffic.
    yield lines.length === 0 ? ':\n\n' : lines.map(eventOf).join('');
  }
}

function eventOf(line: LogLine): string {
  return `id: ${line.id}\ndata: ${JSON.stringify(line)}\n\n`;
}
