import { describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort, LOW_MEMORY_NODE_ARGS } from '@homeport/dev-services';
import { settings, signIn } from './homeport';

const MAIN = join(import.meta.dirname, '../../../dist/api/apps/api/src/main.js');

interface Run {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
  /** Resolves when the output contains `text`. */
  readonly prints: (text: string) => Promise<void>;
}

function startApi(env: Record<string, string>): Run {
  const child = spawn(process.execPath, [...LOW_MEMORY_NODE_ARGS, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const prints = (text: string) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (output.includes(text)) resolve();
      };
      listeners.add(check);
      check();
    });
  return { process: child, output: () => output, exit, prints };
}

describe('the API as a process', () => {
  it('lists all invalid environment variables by name, without their values', async () => {
    const env = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== 'DATABASE_URL'));
    const run = startApi({ ...env, LOG_LEVEL: 'verbose', PORT: '99999', SESSION_KEYS: 'hunter2' });
    expect(await run.exit).toBe(1);
    for (const name of ['DATABASE_URL', 'LOG_LEVEL', 'PORT', 'SESSION_KEYS']) expect(run.output()).toContain(name);
    for (const value of ['verbose', '99999', 'hunter2', '    at ']) expect(run.output()).not.toContain(value);
  });

  it('does not start with a storage that ignores conditions, but starts while storage is unavailable', async () => {
    const unconditionalStorage = createHttpServer((request, response) => {
      request.resume();
      response.writeHead(200, { etag: '"a"' }).end();
    }).listen(0, '127.0.0.1');
    await once(unconditionalStorage, 'listening');
    const on = async (port: number) =>
      startApi({
        ...settings,
        PORT: String(await freePort()),
        S3_ENDPOINT: `http://127.0.0.1:${port}`,
        LOG_LEVEL: 'info',
      });
    const failing = await on((unconditionalStorage.address() as AddressInfo).port);
    expect(await failing.exit).toBe(1);
    expect(failing.output()).toContain('The storage ignores If-None-Match on writes');
    unconditionalStorage.close();

    const unavailableStorage = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(unavailableStorage, 'listening');
    const waiting = await on((unavailableStorage.address() as AddressInfo).port);
    await waiting.prints('listening');
    expect(waiting.output()).toContain('The storage could not be checked');
    waiting.process.kill('SIGTERM');
    expect(await waiting.exit).toBe(0);
    unavailableStorage.close();
  });

  it('ends with code 0 on a signal while it waits for PostgreSQL', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const run = startApi({ ...settings, DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c`, LOG_LEVEL: 'info' });
    await run.prints('"configuration"');
    run.process.kill('SIGTERM');
    // Process 1 of a container has no default action, which would end it without a code.
    expect(await run.exit).toBe(0);
    expect(run.output()).not.toContain('could not start');
    silent.close();
  });

  it('finishes active requests before it stops', async () => {
    const { token } = await signIn('ben');
    const port = await freePort();
    const run = startApi({ ...settings, PORT: String(port), LOG_LEVEL: 'info' });
    await run.prints('listening');
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const closed = once(socket, 'close');
    const path = `/api/files/drain-${process.pid}.txt`;
    socket.write(
      `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 10\r\n` +
        'Expect: 100-continue\r\n\r\n',
    );
    await once(socket, 'data');
    run.process.kill('SIGTERM');
    await run.prints('stopping');
    socket.write('0123456789');
    await closed;
    expect(answer).toMatch(/HTTP\/1\.1 201 Created/);
    expect(answer).toMatch(/connection: close/i);
    expect(await run.exit).toBe(0);
  });

  it('writes one JSON line per request, with its id and without its path or token', async () => {
    const { token } = await signIn('ben');
    const port = await freePort();
    const run = startApi({ ...settings, PORT: String(port), LOG_LEVEL: 'info' });
    await run.prints('listening');
    await fetch(`http://127.0.0.1:${port}/api/files/secret-plan.md?download=1`, {
      headers: { authorization: `Bearer ${token}`, 'x-request-id': 'log-test-1' },
    });
    await run.prints('"status":404');
    const line = run
      .output()
      .split('\n')
      .find((each) => each.includes('log-test-1')) as string;
    expect(JSON.parse(line)).toMatchObject({
      request_id: 'log-test-1',
      method: 'GET',
      route: '/api/files/*',
      status: 404,
    });
    run.process.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    for (const secret of ['secret-plan', token, 'eyJ']) expect(run.output()).not.toContain(secret);
  });
});
