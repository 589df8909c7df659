import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Finished, Machine } from './command-line';

let machine: Machine;

beforeAll(async () => {
  machine = await Machine.create('hp_token');
});

afterAll(() => machine.remove());

/** Runs a command against another server, whose responses are not compared with the OpenAPI document. */
async function runAgainst(listener: RequestListener, command: string): Promise<Finished> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const variables = { ...machine.variables, HOMEPORT_URL: `http://127.0.0.1:${port}`, NODE: process.execPath };
  try {
    return await machine.bash(`echo hp_token | "$NODE" "${Machine.program}" ${command}`, variables);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** A server that answers like Homeport, with these bodies by path. */
function serverWith(bodies: Readonly<Record<string, unknown>>): RequestListener {
  return ({ url = '' }, response) => {
    const body = bodies[url.split('?')[0] ?? ''];
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r1', etag: '"1"' };
    response.writeHead(body === undefined ? 404 : 200, headers).end(JSON.stringify(body ?? {}));
  };
}

describe('another server', () => {
  it.each(['apps list', 'whoami', 'login --token'])('is not taken for Homeport by %s', async (command) => {
    const finished = await runAgainst((_request, response) => response.end('<h1>Our network</h1>'), command);
    const stderr = expect.stringContaining('does not answer like a Homeport server');
    expect(finished).toEqual({ code: 7, stdout: '', stderr });
  });

  it('without these paths accepts no token', async () => {
    const finished = await runAgainst((_request, response) => response.writeHead(404).end('-'), 'login --token');
    expect(finished).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('Check the address') });
  });
});

describe('a hostile server', () => {
  it.each(['docs/../../escaped.txt', 'docs//escaped.txt'])('cannot write outside of the folder: %j', async (key) => {
    const file = (path: string) => ({ key: path, size: 2, etag: '"1"', modified_at: '2026-01-01T00:00:00Z' });
    const items = [file('docs/first.txt'), file(key)];
    const server = serverWith({
      '/api/files': { items, directories: [], next_cursor: null, truncated: false },
      '/api/files/docs/first.txt': {},
      [new URL(`/api/files/${key}`, 'http://localhost').pathname]: {},
    });
    const { code, stderr } = await runAgainst(server, 'files sync workspace:docs copy --force');
    expect([code, stderr]).toEqual([1, expect.stringContaining('names a file that is not in the folder')]);
    expect([await readdir(machine.path()), await readdir(machine.path('work'))]).toEqual([['home', 'work'], []]);
  });

  it.each(['file:///etc/passwd', '/usr/bin/true'])('cannot start another program than the browser: %j', async (url) => {
    const app = { id: '0199f1c2-0000-7000-8000-000000000000', name: 'Shop', subdomain: 'shop', url };
    const server = serverWith({ '/api/apps': { items: [app], next_cursor: null } });
    const { code, stdout, stderr } = await runAgainst(server, 'apps open shop');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('is not the address of a website')]);
  });
});
