import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemLogFieldsOf } from '../problems/problem-log-fields';

/** Of every answer: it is what its type says, and nothing that a browser makes of it. */
export const NOSNIFF_HEADER = { 'x-content-type-options': 'nosniff' } as const;

/**
 * One line a request, when it is over; of one that failed with the code of the problem. It names the route, never the raw address: file names and cursors are the
 * person's, and a token that somebody put into a query must not end in a log.
 */
export function logRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...NOSNIFF_HEADER });
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const facts = { ...logFieldsOf(request), status: reply.statusCode, ms: roundedMs(reply.elapsedTime) };
    request.log.info({ ...facts, ...problemLogFieldsOf(request) }, 'request');
  });
  fastify.addHook('onRequestAbort', async (request) => {
    request.log.info(logFieldsOf(request), 'client left before the answer');
  });
}

/** The line of a request that fails before it is routed, such as one whose path cannot be decoded: no hook runs then. */
export function logUnrouted(request: FastifyRequest, reply: FastifyReply): void {
  const begin = performance.now();
  reply.raw.once('close', () => {
    const facts = { method: request.method, route: 'none', status: reply.raw.statusCode };
    request.log.info({ ...facts, ms: roundedMs(performance.now() - begin), ...problemLogFieldsOf(request) }, 'request');
  });
}

function logFieldsOf(request: FastifyRequest): { method: string; route: string } {
  return { method: request.method, route: request.routeOptions.url ?? 'none' };
}

/** As the log states how long something took. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}
