import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { forwardUpgrade } from './forward-upgrade';

describe('forwardUpgrade', () => {
  const options = { headers: [], onResponse: () => [], firstByteMs: 5_000, idleMs: 5_000 };
  const attempt = (socketPath: string) => {
    const request = { url: '/' } as IncomingMessage;
    const exchange = { request, socket: new PassThrough(), rest: Buffer.alloc(0) };
    return forwardUpgrade(exchange, { ...options, socketPath }).catch((error: unknown) => error);
  };

  it('may be repeated when nothing listens', async () => {
    expect(await attempt(join(tmpdir(), 'hp-absent.sock'))).toMatchObject({ failure: 'unreachable' });
  });

  it('may be repeated when too many connections wait to be accepted', async () => {
    const path = join(tmpdir(), `hp-${process.pid}-full.sock`);
    const server = createServer().listen({ path, backlog: 1 });
    await once(server, 'listening');
    // The server accepts none before this turn of the event loop ends.
    const waiting = Array.from({ length: 4 }, () => connect(path).on('error', () => undefined));
    const outcome = attempt(path);
    expect(await outcome).toMatchObject({ failure: 'unreachable' });
    for (const socket of waiting) socket.destroy();
    server.close();
  });
});
