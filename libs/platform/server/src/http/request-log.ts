import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemLogFieldsOf } from './problems/problem-log-fields';

/** Sent with every response: browsers must not guess another content type. */
export const NOSNIFF_HEADER = { 'x-content-type-options': 'nosniff' } as const;

/**
 * Writes one log line per finished request; failed requests include the problem code. The line has the route, not the
 * raw URL, because file names and cursors are private and a query may contain a token.
 */
export function logRequests(fastify: FastifyInstance): void {
  // Callbacks, because an async hook adds a promise to every request.
  fastify.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const fields = { ...logFieldsOf(request), status: reply.statusCode, ms: roundedMs(reply.elapsedTime) };
    request.log.info({ ...fields, ...problemLogFieldsOf(request) }, 'request');
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    const fields = { ...logFieldsOf(request), ...problemLogFieldsOf(request) };
    request.log.info(fields, 'client disconnected before the response ended');
    done();
  });
}

/** Does the same for a request that fails before routing, such as one with an undecodable path: no hook runs for it. */
export function logUnrouted(request: FastifyRequest, reply: FastifyReply): void {
  addHeaders(request, reply);
  const startedAt = performance.now();
  reply.raw.once('close', () => {
    const fields = { method: request.method, route: 'none', status: reply.raw.statusCode };
    request.log.info(
      { ...fields, ms: roundedMs(performance.now() - startedAt), ...problemLogFieldsOf(request) },
      'request',
    );
  });
}

function addHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', id).headers(NOSNIFF_HEADER);
}

function logFieldsOf(request: FastifyRequest): { method: string; route: string } {
  return { method: request.method, route: request.routeOptions.url ?? 'none' };
}

/** @returns a duration rounded to 0.1 ms. */
function roundedMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}
