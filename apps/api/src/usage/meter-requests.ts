import { isMember, type Actor } from '@homeport/identity/contracts';
import type { UsageRecorder } from '@homeport/usage/server';
import type { FastifyInstance } from 'fastify';

/** The calls of the file API. */
const FILE_ROUTES = new Set(['/api/files', '/api/files/*', '/api/archives']);
const FIRST_FAILED_STATUS = 400;

/** Counts each successful call of the file API that a member of an organization makes. */
export function meterRequests(fastify: FastifyInstance, recorder: Pick<UsageRecorder, 'count'>): void {
  // A callback, because an async hook adds a promise to every request.
  fastify.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode < FIRST_FAILED_STATUS && FILE_ROUTES.has(request.routeOptions.url ?? '')) {
      const { user } = request as typeof request & { readonly user?: Actor };
      if (user && isMember(user)) recorder.count(user.organization, 'gateway-call');
    }
    done();
  });
}
