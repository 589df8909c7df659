import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { DeployClient } from './apps/deploy-client';
import { visit } from './apps/visit';
import { signIn } from './homeport';
import { type EdgeProcess, type ProductProcess, spawnEdge, spawnRuntime } from './product-processes';
import { until } from './suites';
import { type Span, TraceReceiver } from './trace-receiver';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SENT = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'visitor=1' };
/** Answers with the trace that it is given. */
const SERVER = {
  'server.js': `
    const { createServer } = require('node:http');
    createServer(({ headers: { traceparent, tracestate } }, response) =>
      response.end(JSON.stringify({ traceparent, tracestate }))).listen(process.env.PORT);`,
  'public/robots.txt': '# secret words of a file',
};

describe('the traces of an app', () => {
  let folder: string;
  let receiver: TraceReceiver;
  let runtime: ProductProcess;
  const edges: EdgeProcess[] = [];
  let app: App;

  const startEdge = async (more: Record<string, string> = {}): Promise<EdgeProcess> => {
    const edge = await spawnEdge({ RUNTIME_DIR: folder, EDGE_REQUEST_LOG: 'all', ...receiver.settings, ...more });
    edges.push(edge);
    return edge;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hp-trace-'));
    await chmod(folder, 0o711);
    receiver = await TraceReceiver.open();
    const ada = new DeployClient((await signIn('ada')).token);
    app = await ada.register('Trace', 'ssr');
    expect((await ada.deploy(app.id, SERVER)).status).toBe(201);
    // After the deploy, so that no instance runs here before the first request.
    runtime = await spawnRuntime(folder, receiver.settings);
  });
  afterAll(async () => {
    await Promise.all([...edges, runtime].map((each) => each?.kill()));
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** @returns the trace that the server of the app was given. */
  const ask = async ({ port }: EdgeProcess): Promise<{ traceparent: string; tracestate?: string }> => {
    const { status, body } = await visit(app.url, { port, headers: SENT });
    expect(status).toBe(200);
    return JSON.parse(body.toString()) as { traceparent: string };
  };
  const spanOf = async (matches: (span: Span) => boolean): Promise<Span> => {
    await until(() => receiver.spans.some(matches));
    return receiver.spans.find(matches) as Span;
  };

  /** @returns the line of the log about the request of `ask`; health checks have no site. */
  const lineOf = async ({ logLines }: EdgeProcess): Promise<string> => {
    const find = () => logLines().find((line) => line.includes('"msg":"request"') && line.includes('"site"'));
    await until(() => find() !== undefined);
    return find() as string;
  };

  it('lead from a trusted proxy through edge and runtime to the server of the app', async () => {
    const edge = await startEdge({ TRUSTED_PROXIES: '127.0.0.1' });
    const given = await ask(edge);
    const [, traceId, spanId] = given.traceparent.split('-');
    expect([traceId, given.tracestate]).toEqual([TRACE, SENT.tracestate]);
    const atRuntime = await spanOf((span) => span.spanId === spanId);
    expect(atRuntime).toMatchObject({ traceId: TRACE, service: 'homeport-runtime', name: 'GET', kind: 2 });
    const atEdge = await spanOf((span) => span.spanId === atRuntime.parentSpanId);
    expect(atEdge).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, service: 'homeport-edge', kind: 2 });
    const query = await spanOf((span) => span.parentSpanId === atEdge.spanId && span.name === 'postgres query');
    expect(query).toMatchObject({ service: 'homeport-edge', kind: 3 });
    const start = await spanOf((span) => span.parentSpanId === atRuntime.spanId && span.name === 'app start');
    expect(start).toMatchObject({ traceId: TRACE, service: 'homeport-runtime', kind: 3 });
    await visit(new URL('/robots.txt', app.url).href, { port: edge.port, headers: SENT });
    await spanOf(({ parentSpanId, spanId: id }) => parentSpanId === PARENT && id !== atEdge.spanId);
    for (const secret of ['robots', 'secret words', new URL(app.url).hostname]) {
      expect(receiver.text).not.toContain(secret);
    }
  });

  it('begin anew for other visitors, and each line of the log of the edge has its trace', async () => {
    receiver.clear();
    const edge = await startEdge();
    const given = await ask(edge);
    const traceId = given.traceparent.split('-')[1] as string;
    expect(traceId).not.toBe(TRACE);
    expect(given.tracestate).toBeUndefined();
    const atEdge = await spanOf(
      (span) => span.traceId === traceId && span.service === 'homeport-edge' && span.kind === 2,
    );
    expect(atEdge.parentSpanId).toBeUndefined();
    const line = await lineOf(edge);
    expect(JSON.parse(line)).toMatchObject({ trace_id: traceId, request_id: expect.any(String) });
  });

  it('are left to the visitor where they are off', async () => {
    const edge = await startEdge({ OTEL_EXPORTER_OTLP_ENDPOINT: '', RUNTIME_DIR: folder });
    const { traceparent } = await ask(edge);
    // The runtime continues it.
    expect(traceparent.split('-')[1]).toBe(TRACE);
    const line = await lineOf(edge);
    expect(line).not.toContain('trace_id');
  });
});
