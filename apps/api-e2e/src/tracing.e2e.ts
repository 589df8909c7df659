import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiFixture } from './apps/api-fixture';
import type { MemberClient } from './apps/member-client';
import type { ApiProcess } from './product-processes';
import { until } from './suites';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const SECRET_NAME = 'salaries-of-ada.md';

let fixture: ApiFixture;
let receiver: Server;
let endpoint: string;
let member: MemberClient;
let isSilent = false;
const exports: Export[] = [];

const spans = () =>
  exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const read = (api: ApiProcess, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/api/files/${SECRET_NAME}`, { headers: { authorization: `Bearer ${member.token}`, ...headers } });
const start = (more: Record<string, string> = {}) =>
  fixture.api({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '100', ...more });

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = (await json(request)) as Export;
    if (isSilent) return;
    exports.push(body);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  fixture = await ApiFixture.open();
  member = await fixture.member('traced');
});
afterAll(async () => {
  await fixture.close();
  receiver.closeAllConnections();
  receiver.close();
});

describe('the traces of an API', () => {
  it('join the request, PostgreSQL and the storage, and continue those of a trusted proxy', async () => {
    const api = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    expect((await read(api, { traceparent: TRACEPARENT })).status).toBe(404);
    await member.list(api.url);
    const find = (name: string) => spans().find((span) => span.name === name);
    await until(() => find('GET /api/files/*') !== undefined && find('GET /api/apps') !== undefined);
    const file = find('GET /api/files/*') as Span;
    expect(file).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    const storage = spans().find(
      ({ parentSpanId, name }) => parentSpanId === file.spanId && name.startsWith('storage '),
    );
    expect(storage).toMatchObject({ traceId: TRACE, kind: 3 });
    const list = find('GET /api/apps') as Span;
    expect(list.traceId).not.toBe(TRACE);
    expect(list.parentSpanId).toBeUndefined();
    const query = spans().find(({ parentSpanId }) => parentSpanId === list.spanId);
    expect(query).toMatchObject({ traceId: list.traceId, name: 'postgres query', kind: 3 });
    const sent = JSON.stringify(exports);
    expect(sent).toContain('homeport-api');
    for (const secret of [SECRET_NAME, member.token, 'select ', 'traced']) expect(sent).not.toContain(secret);
    await api.kill();
  });

  it('begin anew for an address that is not trusted', async () => {
    exports.length = 0;
    const api = await start();
    await read(api, { traceparent: TRACEPARENT });
    await until(() => spans().some(({ name }) => name === 'GET /api/files/*'));
    expect(spans().filter(({ traceId }) => traceId === TRACE)).toEqual([]);
    await api.kill();
  });

  it('are dropped while the receiver is silent: requests are served, and the API stops', async () => {
    isSilent = true;
    const api = await start();
    for (let i = 0; i < 50; i += 1) expect((await read(api)).status).toBe(404);
    await api.stop();
    expect(api.unexpectedErrors()).toEqual([]);
    isSilent = false;
  });
});
