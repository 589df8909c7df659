import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectionFailed, followLog, Homeport, type LogLine } from './index';

const line = (id: number) => ({ id: String(id), line: `line ${id}` });
const event = (id: number) => `id: ${id}\ndata: ${JSON.stringify(line(id))}\n\n`;
const problem = (status: number) =>
  new Response(JSON.stringify({ code: `test.${status}`, status }), { status, headers: { 'retry-after': '99' } });

/** A response that sends these parts and then ends, breaks, or stays open. */
function stream(parts: readonly string[], end: 'closed' | 'broken' | 'open' = 'closed'): Response {
  const bytes = parts.map((part) => new TextEncoder().encode(part));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = bytes.shift();
      if (next) controller.enqueue(next);
      else if (end === 'closed') controller.close();
      else if (end === 'broken') controller.error(new Error('socket hang up'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

let resumed: (string | null)[];
let waits: number[];
let stop: AbortController;

beforeEach(() => {
  resumed = [];
  waits = [];
  stop = new AbortController();
});

/** A connection to a server that gives these replies in order; then the person interrupts. */
function connect(replies: readonly (Response | Error)[]): Homeport {
  const queue = [...replies];
  return new Homeport({
    baseUrl: 'https://homeport.example',
    retries: { attempts: 1, wait: async (milliseconds) => void waits.push(milliseconds) },
    fetch: async ({ headers }) => {
      const reply = queue.shift();
      if (reply === undefined) {
        stop.abort();
        throw new Error('aborted');
      }
      resumed.push(headers.get('last-event-id'));
      if (reply instanceof Error) throw reply;
      return reply;
    },
  });
}

/** @returns the ids of the lines that arrive before the error. */
async function follow(homeport: Homeport, options = {}): Promise<{ ids: string[]; error: unknown }> {
  const ids: string[] = [];
  try {
    const lines: AsyncIterable<LogLine> = followLog(homeport, 'a1', { signal: stop.signal, ...options });
    for await (const { id } of lines) ids.push(id);
  } catch (error) {
    return { ids, error };
  }
  throw new Error('The log ended.');
}

describe('followLog', () => {
  it('continues after the last line when the server ends the stream', async () => {
    const homeport = connect([stream([event(1), ':\n\n', event(2)]), stream([event(3)]), stream([':\n\n'])]);
    const { ids, error } = await follow(homeport, { after: '0' });
    expect([ids, resumed, error]).toEqual([['1', '2', '3'], ['0', '2', '3'], stop.signal.reason]);
    expect(waits).toEqual([1_000, 1_000, 1_000]);
  });

  it('reads lines whose bytes arrive in parts', async () => {
    const bytes = new TextEncoder().encode(`id: 1\ndata: ${JSON.stringify({ id: '1', line: 'über' })}\n\n`);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const lines: string[] = [];
    for await (const each of followLog(connect([new Response(body)]), 'a1')) {
      lines.push(each.line);
      break;
    }
    expect(lines).toEqual(['über']);
  });

  it('reconnects after lost connections and outages, with growing pauses', async () => {
    const errors: unknown[] = [];
    const replies = [stream([event(1)], 'broken'), new Error('refused'), problem(503), stream([event(2)])];
    const { ids } = await follow(connect(replies), { onInterruption: (error: unknown) => errors.push(error) });
    expect([ids, resumed]).toEqual([
      ['1', '2'],
      [null, '1', '1', '1'],
    ]);
    expect(errors).toEqual([
      expect.objectContaining({ message: 'No response from https://homeport.example: socket hang up' }),
      expect.any(ConnectionFailed),
      expect.objectContaining({ status: 503 }),
    ]);
    expect(waits).toEqual([2_000, 4_000, 8_000, 1_000]);
  });

  it('reconnects when nothing arrives', async () => {
    const replies = [stream([event(1)], 'open'), stream([event(2)])];
    expect((await follow(connect(replies), { silenceMs: 1 })).ids).toEqual(['1', '2']);
  });

  it.each([401, 404])('ends when the server answers %i', async (status) => {
    const { ids, error } = await follow(connect([stream([event(1)]), problem(status)]));
    expect([ids, error]).toEqual([['1'], expect.objectContaining({ status })]);
  });

  it('ends when the first connection fails', async () => {
    expect(await follow(connect([new Error('refused')]))).toEqual({ ids: [], error: expect.any(ConnectionFailed) });
  });
});
