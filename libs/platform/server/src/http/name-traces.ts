import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../tracing';

/** Names the span of each request by its route, and adds its trace id to the log lines of the request. */
export function nameTraces(fastify: FastifyInstance, tracing: Pick<Tracing, 'setRoute'>): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url = 'none' } = request.routeOptions;
    const traceId = tracing.setRoute(`${request.method} ${url}`, request.id);
    if (traceId !== undefined) request.log = request.log.child({ trace_id: traceId });
    done();
  });
}
