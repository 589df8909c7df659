import type { FastifyInstance, FastifyReply } from 'fastify';
import { normalizedPathOf } from './request-target';

/** What an answer under `/api` says when its route says nothing about caching. */
export const PRIVATE_RESPONSE_HEADERS = { 'cache-control': 'private, no-store', vary: 'Authorization' } as const;

/**
 * Marks every answer under `/api` as private and as different per caller: routes, errors, 304 and unknown addresses.
 * A shared cache that stores by address alone would give one organization's answer to another one.
 */
export function markApiResponsesPrivate(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (isUnderApi(request.originalUrl)) markPrivate(reply);
    done();
  });
}

/** Adds to the caching headers of an answer what they lack; a stricter directive of the route stays. */
export function markPrivate(reply: FastifyReply): void {
  const stated = reply.getHeader('cache-control')?.toString();
  if (stated === undefined) void reply.header('cache-control', PRIVATE_RESPONSE_HEADERS['cache-control']);
  else if (!/\bprivate\b/i.test(stated)) void reply.header('cache-control', `private, ${stated}`);
  const vary = reply.getHeader('vary')?.toString();
  if (vary === undefined) void reply.header('vary', PRIVATE_RESPONSE_HEADERS.vary);
  else if (!/(^|,)\s*(authorization|\*)\s*(,|$)/i.test(vary))
    void reply.header('vary', `${vary}, ${PRIVATE_RESPONSE_HEADERS.vary}`);
}

/** @param target as it stood on the wire; every spelling that a router or a cache may read as `/api` counts. */
export function isUnderApi(target: string): boolean {
  return /^\/+api(\/|$)/i.test(normalizedPathOf(target));
}
