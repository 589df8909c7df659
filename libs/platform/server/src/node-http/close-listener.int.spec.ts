import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeListener } from './close-listener';

/** Connections that open in each turn of the event loop. */
const ARRIVING = 3;

// Elsewhere the accept queue cannot be shortened.
(process.platform === 'linux' ? describe : describe.skip)('closeListener', () => {
  let server: Server;
  let accepted: number;

  beforeEach(async () => {
    accepted = 0;
    server = createServer((socket) => {
      accepted += 1;
      socket.resume().end('answered');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => void server.close());

  /** What a client receives that sends a request as soon as it can: a response, or the code of an error. */
  function outcome(): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const received = text(socket).catch(({ code }: NodeJS.ErrnoException) => String(code));
    socket.end('a request');
    return received;
  }

  it('closes behind its own connection, which the server does not accept', async () => {
    expect(await closeListener(server)).toBe(true);
    expect([server.listening, accepted]).toEqual([false, 0]);
  });

  it('accepts the connections in the queue first', async () => {
    const outcomes = Array.from({ length: 100 }, outcome);
    // The kernel has opened all connections then, and the event loop has not accepted any of them.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(await closeListener(server)).toBe(true);
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['answered']));
  });

  it('resets no connection that opens while it closes', async () => {
    const outcomes = Array.from({ length: ARRIVING }, outcome);
    let isClosed = false;
    const closing = closeListener(server).finally(() => (isClosed = true));
    while (!isClosed) {
      if (server.listening) outcomes.push(...Array.from({ length: ARRIVING }, outcome));
      await new Promise(setImmediate);
    }
    expect(await closing).toBe(true);
    const seen = new Set(await Promise.all(outcomes));
    expect(seen).toContain('answered');
    expect([...seen].filter((each) => !['answered', 'ECONNREFUSED'].includes(each))).toEqual([]);
  });
});
