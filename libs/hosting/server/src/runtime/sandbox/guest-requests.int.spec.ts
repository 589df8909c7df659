import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressPolicy } from '@homeport/platform/server/network';
import { appFolder } from '../../testing/app-folder';
import { bubblewrapHere } from '../../testing/bubblewrap-here';
import { ask } from '../../testing/sandbox-client';
import { BubblewrapSandbox } from './bubblewrap-sandbox';

const MEBIBYTE = 1024 ** 2;
const LIMITS = { memoryBytes: 256 * MEBIBYTE, cpus: 1, processes: 64, tmpBytes: MEBIBYTE };

/** Requests TARGET in every way that Node has, and states whether the client for `fetch` was loaded before. */
const SERVER = `
const { createServer, get } = require('node:http');
const { Worker } = require('node:worker_threads');
const { TARGET } = process.env;
const hasClient = process.moduleLoadList.some((name) => name.endsWith('undici'));
const read = () => fetch(TARGET).then((response) => response.text());
const code = "fetch(process.env.TARGET).then((r) => r.text()).then((t) => require('worker_threads').parentPort.postMessage(t))";
createServer(async (request, response) => {
  if (request.url === '/own') return response.end('own');
  const { globalAgent } = require('node:http');
  response.end(JSON.stringify({
    hasClient,
    get: await new Promise((resolve) => get(TARGET, (answer) => answer.once('data', (data) => resolve(String(data))))),
    fetch: [await read(), await read()],
    own: await fetch('http://127.0.0.1:' + process.env.PORT + '/own').then((answer) => answer.text()),
    worker: await new Promise((resolve) => new Worker(code, { eval: true }).once('message', resolve)),
    keepsAgent: globalAgent === require('node:http').globalAgent,
  }));
}).listen(process.env.PORT);`;

((await bubblewrapHere()) ? describe : describe.skip)('requests of an app', () => {
  let folder = '';
  const outside = createServer((request, response) => response.end(`for ${request.headers.host?.split(':')[0]}`));
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-requests-'));
    await chmod(folder, 0o711);
    await once(outside.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    outside.close();
    await rm(folder, { recursive: true });
  });

  it('pass through the proxy, and the client for fetch is loaded only when it is used', async () => {
    const policy = new AddressPolicy({ allowed: ['127.0.0.0/8'], ownAddresses: () => [] });
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const options = { runDirectory: folder, node: process.execPath, policy, resolve };
    const app = await appFolder({ 'server.cjs': SERVER });
    const launched = await (
      await BubblewrapSandbox.open(options)
    ).launch({
      instanceId: randomUUID(),
      appId: randomUUID(),
      appFolder: app.path,
      plan: { framework: 'node', kind: 'script', entry: 'server.cjs', environment: {} },
      environment: { TARGET: `http://outside.test:${(outside.address() as AddressInfo).port}/` },
      limits: LIMITS,
      onLine: () => undefined,
    });
    await launched.listening;
    const { body } = await ask(launched.socketPath, '/');
    await launched.stop(0);
    await app.remove();
    const text = 'for outside.test';
    expect(JSON.parse(body)).toEqual({
      ...{ hasClient: false, get: text, fetch: [text, text], worker: text },
      ...{ own: 'own', keepsAgent: true },
    });
  });
});
