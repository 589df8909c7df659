import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Machine } from './command-line';

/** The answers of the server, by the path of the request. */
const answers: Record<string, unknown> = {};
let server: Server;
let address: string;
let machine: Machine;

beforeAll(async () => {
  machine = await Machine.create('hp_token', true);
  server = createServer(({ url = '' }, response) => {
    const [path = ''] = url.split('?');
    const body = answers[path];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json', etag: '"1"' });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server?.close();
  server?.closeAllConnections();
  await machine?.remove();
});

const run = (...args: string[]) => machine.run([...args, '--url', address]);

describe('a hostile server', () => {
  it.each(['docs/../../escaped.txt', 'docs//escaped.txt', '../escaped.txt', 'docs/a\\..\\escaped.txt'])(
    'cannot write outside of the synchronized folder: %j',
    async (key) => {
      const file = (path: string) => ({ key: path, size: 2, etag: '"1"', modified_at: '2026-01-01T00:00:00Z' });
      const items = [file('docs/first.txt'), file(key)];
      answers['/api/files'] = { items, directories: [], next_cursor: null, truncated: false };
      answers[new URL(`/api/files/${key}`, address).pathname] = {};
      answers['/api/files/docs/first.txt'] = {};
      const { code, stderr } = await run('files', 'sync', 'workspace:docs', 'copy', '--force');
      expect([code, stderr]).toEqual([1, expect.stringContaining('names a file that is not in the folder')]);
      expect(await readdir(machine.path())).toEqual(['home', 'work']);
      expect(await readdir(machine.path('work'))).toEqual([]);
    },
  );

  it.each(['file:///etc/passwd', 'javascript:alert(1)', '/usr/bin/true', '--help'])(
    'cannot start another program than the browser: %j',
    async (url) => {
      const app = { id: '0199f1c2-0000-7000-8000-000000000000', name: 'Shop', subdomain: 'shop', url };
      answers['/api/apps'] = { items: [app], next_cursor: null };
      const { code, stdout, stderr } = await run('apps', 'open', 'shop');
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('is not the address of a website')]);
    },
  );
});
