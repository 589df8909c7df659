import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { Metrics } from '../metrics/metrics';
import { ManagementServer } from './management-server';
import { metricsRoute } from './metrics-route';

let server: ManagementServer;
let url: string;
let errors: unknown[];

beforeEach(async () => {
  errors = [];
  const routes = new Map([
    ['/metrics', metricsRoute(new Metrics())],
    ['/unavailable', () => Promise.reject(new DatabaseUnavailable())],
    ['/broken', () => Promise.reject(new Error('a detail'))],
  ]);
  server = new ManagementServer(routes, (error) => errors.push(error));
  url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
});

afterEach(() => server.close());

describe('ManagementServer', () => {
  it('answers with the metrics in the format of Prometheus', async () => {
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toMatch(/^# HELP .*[^\n]\n$/s);
  });

  it('tells what failed, without details', async () => {
    const answers = await Promise.all(['/unavailable', '/broken', '/other'].map((path) => fetch(url + path)));
    expect(answers.map(({ status }) => status)).toEqual([503, 500, 404]);
    expect((await Promise.all(answers.map((each) => each.text()))).join('')).not.toContain('a detail');
    expect(errors).toMatchObject([{ message: 'a detail' }]);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['nothing', ''],
    ['a part of its headers', 'GET /metrics HTTP/1.1\r\nHost: x\r\n'],
  ])('closes although a client sends %s', async (_what, sent) => {
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    await once(client, 'connect');
    client.write(sent);
    // A later connection is answered, so the server has accepted the first one.
    await fetch(`${url}/metrics`);
    const closed = new Promise((resolve) => client.on('error', () => undefined).once('close', resolve));
    client.resume();
    await server.close(0);
    await closed;
  });
});
