import { isMember, type Actor, type Member } from '@homeport/identity/contracts';
import { workspaceRoot } from '@homeport/files/server';
import type { MeteringOptions } from '@homeport/usage/server';
import type { FastifyInstance } from 'fastify';

/** The calls of the file API. */
const FILE_ROUTES = new Set(['/api/files', '/api/files/*', '/api/archives']);
const CHANGES = new Set(['PUT', 'DELETE']);
const FIRST_FAILED_STATUS = 400;

export type RequestMeters = Pick<MeteringOptions, 'recorder' | 'workspaceChanges'>;

/** Counts each successful call of the file API that a member of an organization makes, and notes used and changed workspaces. */
export function meterRequests(fastify: FastifyInstance, { recorder, workspaceChanges }: RequestMeters): void {
  const count = (user: Member, method: string) => {
    recorder.count(user.organization, 'gateway-call');
    const workspace = workspaceRoot(user);
    if (CHANGES.has(method)) workspaceChanges.note(workspace, user.organization);
    else workspaceChanges.visit(workspace, user.organization);
  };
  // A callback, because an async hook adds a promise to every request.
  fastify.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode < FIRST_FAILED_STATUS && FILE_ROUTES.has(request.routeOptions.url ?? '')) {
      const { user } = request as typeof request & { readonly user?: Actor };
      if (user && isMember(user)) count(user, request.method);
    }
    done();
  });
}
