import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@homeport/dev-services';
import { ApiFixture } from './apps/api-fixture';
import type { MemberClient } from './apps/member-client';
import type { ApiProcess } from './product-processes';
import { until } from './suites';
import { type Span, TraceReceiver } from './trace-receiver';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const SECRET_NAME = 'salaries-of-ada.md';

let fixture: ApiFixture;
let receiver: TraceReceiver;
let member: MemberClient;

const read = (api: ApiProcess, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/api/files/${SECRET_NAME}`, { headers: { authorization: `Bearer ${member.token}`, ...headers } });
const start = (more: Record<string, string> = {}) => fixture.api({ ...receiver.settings, ...more });

beforeAll(async () => {
  receiver = await TraceReceiver.open();
  fixture = await ApiFixture.open();
  member = await fixture.member('traced');
});
afterAll(async () => {
  await fixture.close();
  await receiver.close();
});

describe('the traces of an API', () => {
  it('join the request, PostgreSQL and the storage, and continue those of a trusted proxy', async () => {
    const api = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    expect((await read(api, { traceparent: TRACEPARENT })).status).toBe(404);
    await member.list(api.url);
    const find = (name: string) => receiver.spans.find((span) => span.name === name);
    await until(() => find('GET /api/files/*') !== undefined && find('GET /api/apps') !== undefined);
    const file = find('GET /api/files/*') as Span;
    expect(file).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    const storage = receiver.spans.find(
      ({ parentSpanId, name }) => parentSpanId === file.spanId && name.startsWith('storage '),
    );
    expect(storage).toMatchObject({ traceId: TRACE, kind: 3 });
    const list = find('GET /api/apps') as Span;
    expect(list.traceId).not.toBe(TRACE);
    expect(list.parentSpanId).toBeUndefined();
    const query = receiver.spans.find(({ parentSpanId }) => parentSpanId === list.spanId);
    expect(query).toMatchObject({ traceId: list.traceId, name: 'postgres query', kind: 3 });
    const sent = receiver.text;
    expect(sent).toContain('homeport-api');
    for (const secret of [SECRET_NAME, member.token, 'select ', 'traced']) expect(sent).not.toContain(secret);
    await api.kill();
  });

  it('begin anew for an address that is not trusted', async () => {
    receiver.clear();
    const api = await start();
    await read(api, { traceparent: TRACEPARENT });
    await until(() => receiver.spans.some(({ name }) => name === 'GET /api/files/*'));
    expect(receiver.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
    await api.kill();
  });

  it('are dropped while no receiver is there, and the log says so once', async () => {
    const api = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    });
    const failures = () => api.logLines().filter((line) => line.includes('"dependency":"traces"'));
    await until(async () => (await read(api)).status === 404 && failures().length > 0);
    expect(JSON.parse(failures()[0] as string)).toMatchObject({ msg: 'dependency failed', cause: 'ECONNREFUSED' });
    await api.stop();
    expect(failures()).toHaveLength(1);
  });

  it('are dropped while the receiver is silent: requests are served, and the API stops', async () => {
    receiver.isSilent = true;
    const api = await start();
    for (let i = 0; i < 50; i += 1) expect((await read(api)).status).toBe(404);
    await api.stop();
    expect(api.unexpectedErrors()).toEqual([]);
    receiver.isSilent = false;
  });
});
