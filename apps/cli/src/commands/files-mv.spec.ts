import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import { runCommand } from '../testing/run-command';

const CHANGED = { code: 'files.precondition-failed', status: 412, title: 'Changed', detail: 'The file has changed.' };

it('says that the file changed while it was renamed', async () => {
  const server = createServer((request, response) => {
    response.setHeader('x-request-id', 'r1');
    if (request.method === 'HEAD') response.writeHead(200, { etag: '"one"', 'content-length': 5 }).end();
    else if (request.method === 'GET') response.writeHead(412).end(JSON.stringify(CHANGED));
    // The body of the upload ends early.
    else request.resume().on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const HOMEPORT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await runCommand(['files', 'mv', 'a.txt', 'b.txt'], tmpdir(), { HOMEPORT_URL });
    expect([code, stderr]).toEqual([5, expect.stringContaining('The file has changed.')]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
