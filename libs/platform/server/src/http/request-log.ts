import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * One line a request, when it is over. It names the route, never the raw address: file names and cursors are the
 * person's, and a token that somebody put into a query must not end in a log.
 */
export function logRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
  });
  fastify.addHook('onResponse', async (request, reply) => {
    request.log.info({ ...factsOf(request), status: reply.statusCode, ms: rounded(reply.elapsedTime) }, 'request');
  });
  fastify.addHook('onRequestAbort', async (request) => {
    request.log.info(factsOf(request), 'client left before the answer');
  });
}

function factsOf(request: FastifyRequest): { method: string; route: string } {
  return { method: request.method, route: request.routeOptions.url ?? 'none' };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
