import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { destinationOfTunnel, destinationOfUrl } from './egress-destination';
import { AddressPolicy } from '@homeport/platform/server/network';
import { EgressProxy, type EgressProxyOptions } from './egress-proxy';

/** Asks the proxy for a tunnel, sends `ping` through it, and returns all that comes back. */
async function tunnel(socketPath: string, authority: string): Promise<string> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  socket.end(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\nping`);
  return text(socket);
}

/** Requests an URL in absolute form. */
async function forward(socketPath: string, url: string, body?: string) {
  const outgoing = request({ socketPath, path: url, method: body === undefined ? 'GET' : 'POST', agent: false });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('EgressProxy', () => {
  let folder = '';
  let path = '';
  let heard = 0;
  let target: Server;
  let port = 0;
  const refused: string[] = [];
  const proxies: EgressProxy[] = [];

  const listen = async (options: Partial<EgressProxyOptions> = {}) => {
    const policy = new AddressPolicy({ allowed: ['127.0.0.2/32'] });
    proxies.push(await EgressProxy.listen(path, { policy, onRefused: (line) => refused.push(line), ...options }));
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-egress-'));
    path = join(folder, 'egress');
    heard = 0;
    target = createHttpServer((incoming, response) => {
      heard += 1;
      void text(incoming).then((body) => response.end(`${incoming.headers.host} ${incoming.url} ${body}`));
    }).listen(0);
    await once(target, 'listening');
    ({ port } = target.address() as AddressInfo);
  });
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close();
    target.close();
    refused.length = 0;
    await rm(folder, { recursive: true });
  });

  it('carries tunnels to allowed addresses', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.2');
    await once(echo, 'listening');
    await listen();
    const answer = await tunnel(path, `127.0.0.2:${(echo.address() as AddressInfo).port}`);
    expect(answer).toBe('HTTP/1.1 200 Connection established\r\n\r\nping');
    echo.close();
  });

  it('forwards requests to allowed addresses', async () => {
    await listen({ resolve: async () => ['127.0.0.2'] });
    const answer = await forward(path, `http://api.example:${port}/a?b`, 'body');
    expect(answer).toMatchObject({ status: 200, body: `api.example:${port} /a?b body` });
  });

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', 'localhost', 'name.example'])(
    'refuses %s, which leads to this machine',
    async (host) => {
      // Without the deny list the same request arrives.
      const open = {
        policy: new AddressPolicy({ allowed: ['0.0.0.0/0', '::/0'] }),
        resolve: async () => ['127.0.0.1'],
      };
      await listen(open);
      expect((await forward(path, `http://${host}:${port}/`)).status).toBe(200);
      expect(heard).toBe(1);
      await proxies.pop()?.close();

      await listen({ resolve: async () => ['127.0.0.1'] });
      expect((await forward(path, `http://${host}:${port}/`)).status).toBe(403);
      expect(await tunnel(path, `${host}:${port}`)).toMatch(/^HTTP\/1.1 403 /);
      expect(heard).toBe(1);
      expect(refused).toHaveLength(2);
      expect(refused[0]).toMatch(/^The connection to .+ was refused: it is (an address of the platform|not a public)/);
    },
  );

  it('connects to the address that it checked, when a name resolves to another one later', async () => {
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    await listen({ resolve: async () => answers.shift() ?? [] });
    expect((await forward(path, `http://rebind.example:${port}/`)).status).toBe(200);
    expect((await forward(path, `http://rebind.example:${port}/`)).status).toBe(403);
    expect(heard).toBe(1);
  });

  it('answers for names without addresses, closed ports and wrong requests', async () => {
    await listen({ resolve: async () => [] });
    expect(await forward(path, 'http://absent.example/')).toMatchObject({ status: 403 });
    target.close();
    await once(target, 'close');
    expect(await forward(path, `http://127.0.0.2:${port}/`)).toMatchObject({ status: 502 });
    expect(await forward(path, '/')).toMatchObject({ status: 400 });
    expect(await tunnel(path, 'no-port')).toMatch(/^HTTP\/1.1 400 /);
  });

  it('does not listen for a while after many connections', async () => {
    await listen({ rate: { connections: 5, windowMs: 50 } });
    const opened = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(path, () => resolve(true)).on('error', () => resolve(false));
        socket.once('connect', () => socket.destroy());
      });
    let isRefused = false;
    while (!isRefused) isRefused = !(await opened());
    expect(refused).toContain('More than 5 connections in 50 ms: further ones wait.');
    while (isRefused) isRefused = !(await opened());
    // Closes also while it does not listen.
    while (!isRefused) isRefused = !(await opened());
  });

  it('closes all connections', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.2');
    await once(silent, 'listening');
    await listen();
    const { port: open } = silent.address() as AddressInfo;
    const socket = connect(path);
    socket.write(`CONNECT 127.0.0.2:${open} HTTP/1.1\r\n\r\n`);
    await once(socket, 'data');
    await proxies.pop()?.close();
    await once(socket, 'close');
    silent.close();
  });
});

describe('destinations', () => {
  it('reads tunnels', () => {
    expect(destinationOfTunnel('a.example:443')).toEqual({ hostname: 'a.example', port: 443 });
    expect(destinationOfTunnel('[::1]:80')).toEqual({ hostname: '::1', port: 80 });
    for (const text of ['', 'a', 'a:', ':80', 'a:0', 'a:70000', 'a@b:80', 'http://a:80', 'a b:80', '[x]:80']) {
      expect(destinationOfTunnel(text)).toBeUndefined();
    }
  });

  it('reads URLs', () => {
    expect(destinationOfUrl('http://a.example/')).toMatchObject({ hostname: 'a.example', port: 80 });
    expect(destinationOfUrl('http://0x7f.1:8080/')).toMatchObject({ hostname: '127.0.0.1', port: 8080 });
    for (const text of ['/', 'https://a/', 'ftp://a/', 'a:80']) expect(destinationOfUrl(text)).toBeUndefined();
  });
});
