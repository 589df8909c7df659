import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { type EdgeProcess, spawnEdge } from '../product-processes';
import { FaultProxy } from '../files/reliability/fault-proxy';
import { settings, signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { visit } from './visit';

/** Larger than all buffers of the connections. */
const LARGE = randomBytes(32 * 1024 * 1024);

describe('an outage of storage in the middle of a file', () => {
  let proxy: FaultProxy;
  let edge: EdgeProcess;
  let app: App;

  beforeAll(async () => {
    proxy = await FaultProxy.start(settings['S3_ENDPOINT'] as string);
    edge = await spawnEdge({ S3_ENDPOINT: proxy.endpoint });
    const ada = new DeployClient((await signIn('ada')).token);
    app = await ada.register('Cut');
    expect((await ada.deploy(app.id, { 'index.html': 'Here', 'large.bin': LARGE })).status).toBe(201);
    await until(async () => (await visit(app.url, { port: edge.port })).body === 'Here');
  });
  afterAll(async () => {
    await edge?.stop();
    await proxy?.stop();
  });

  /** Resolves with the head of the response, before the body is read. */
  const begin = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname: host } = new URL(app.url);
      const options = { host: '127.0.0.1', port: edge.port, path: '/large.bin', headers: { host }, agent: false };
      get(options, resolve).once('error', reject);
    });

  it("closes the visitor's connection, so that a partial file does not look complete", async () => {
    const answer = await begin();
    expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, String(LARGE.length)]);
    proxy.dropConnections();
    await expect(buffer(answer)).rejects.toThrow('aborted');
  });

  it('does not affect later requests', async () => {
    expect((await visit(`${app.url}/large.bin`, { port: edge.port })).bytes.equals(LARGE)).toBe(true);
    expect([edge.isAlive(), edge.errorLines()]).toEqual([true, []]);
  });
});
