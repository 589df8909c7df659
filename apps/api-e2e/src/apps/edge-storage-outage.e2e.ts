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

/** More than the connections on the way hold while nobody reads. */
const LARGE = randomBytes(32 * 1024 * 1024);

describe('storage that goes away in the middle of a file', () => {
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

  /** Resolves with the head of the answer; nothing is read of the rest yet. */
  const begin = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname: host } = new URL(app.url);
      const place = { host: '127.0.0.1', port: edge.port, path: '/large.bin', headers: { host }, agent: false };
      get(place, resolve).once('error', reject);
    });

  it('cuts the visitor off instead of passing half a file off as a whole', async () => {
    const answer = await begin();
    expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, String(LARGE.length)]);
    proxy.dropConnections();
    await expect(buffer(answer)).rejects.toThrow('aborted');
  });

  it('does no harm to others', async () => {
    expect((await visit(`${app.url}/large.bin`, { port: edge.port })).bytes.equals(LARGE)).toBe(true);
    expect([edge.isAlive(), edge.errorLines()]).toEqual([true, []]);
  });
});
