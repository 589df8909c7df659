import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import proxyAddr from '@fastify/proxy-addr';
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type DependencyCall, OutageLog } from '../observability/outage-log';
import { homeportVersion } from '../process/effective-configuration';
import { ObservedExporter } from './observed-exporter';

/** A receiver that does not answer must not delay the end of the process. */
const FLUSH_LIMIT_MS = 2_000;

export interface TracingOptions {
  /** Is told when the receiver fails and recovers. */
  readonly log: ConstructorParameters<typeof OutageLog>[1];
  /** `OTEL_SERVICE_NAME` replaces it. */
  readonly service: string;
  /** Addresses and networks whose `traceparent` is continued. Other requests begin a new trace. `all`: every client. */
  readonly trustedProxies: readonly string[] | 'all';
}

/** Records spans. They have methods, routes, statuses and names of operations: no path, query, header, key or SQL. */
export interface Tracing {
  /**
   * Handles a request in a span that ends with its response. The header fields of the request then name this span, for
   * the program to which the request is forwarded.
   */
  serve(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  /** Names the span of the request that is handled. @returns its trace id, for the log. */
  setRoute(route: string, requestId: string): string | undefined;
  /** @returns the trace id of a request that `serve` handles, for the log. */
  traceIdOf(request: Pick<IncomingMessage, 'headers'>): string | undefined;
  /** Records a finished call of a dependency below the request that made it. Calls outside of requests are not recorded. */
  onCall(call: DependencyCall): void;
  /** Sends the recorded spans, for at most two seconds. */
  stop(): Promise<void>;
}

/**
 * Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`. The libraries read the standard `OTEL_*` variables. Spans wait in a
 * queue of limited length; when the receiver is slow or unavailable, they are dropped.
 */
export function startTracing({ service, trustedProxies, log }: TracingOptions): Tracing {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service, 'service.version': homeportVersion() }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = new ObservedExporter(new OTLPTraceExporter(), new OutageLog('traces', log));
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  const tracer = trace.getTracer('homeport');
  const isTrusted = trustedProxies === 'all' ? () => true : proxyAddr.compile([...trustedProxies]);
  return {
    serve: (request, response, handle) => {
      const { headers, socket, method = '' } = request;
      const parent = isTrusted(socket.remoteAddress ?? '', 0)
        ? propagation.extract(context.active(), headers)
        : context.active();
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      response.once('close', () => endRequest(span, response));
      const active = trace.setSpan(parent, span);
      nameSpan(request, active);
      context.with(active, handle);
    },
    setRoute: (route, requestId) => {
      const span = trace.getActiveSpan();
      span?.updateName(route);
      span?.setAttributes({ 'http.route': route.split(' ')[1] ?? route, 'homeport.request_id': requestId });
      return span?.spanContext().traceId;
    },
    traceIdOf: ({ headers }) => trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))?.traceId,
    onCall: (call) => {
      if (trace.getActiveSpan() === undefined) return;
      const { dependency, operation, outcome, seconds } = call;
      const endTime = Date.now();
      const span = tracer.startSpan(`${dependency} ${operation}`, {
        kind: SpanKind.CLIENT,
        startTime: endTime - seconds * 1_000,
        attributes: { 'homeport.dependency': dependency, 'homeport.operation': operation },
      });
      if (outcome === 'failure') span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endTime);
    },
    // Spans that the receiver rejects must not make the end of the process unclean.
    stop: () =>
      Promise.race([provider.shutdown().catch(() => undefined), setTimeout(FLUSH_LIMIT_MS, undefined, { ref: false })]),
  };
}

/** Replaces the fields of the trace, which a client may have sent: a proxy forwards the raw ones. */
function nameSpan({ headers, rawHeaders }: IncomingMessage, active: Context): void {
  const named: Record<string, string> = {};
  propagation.inject(active, named);
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (propagation.fields().includes((rawHeaders[index] as string).toLowerCase())) rawHeaders.splice(index, 2);
  }
  for (const field of propagation.fields()) headers[field] = undefined;
  Object.assign(headers, named);
  rawHeaders.push(...Object.entries(named).flat());
}

function endRequest(span: Span, response: ServerResponse): void {
  const { statusCode, writableFinished } = response;
  span.setAttribute('http.response.status_code', statusCode);
  if (!writableFinished) span.setAttribute('error.type', 'client-disconnected');
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
