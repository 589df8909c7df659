import type { FastifyInstance, FastifyReply } from 'fastify';
import { normalizedPathOf } from '@homeport/kernel';

/** The default caching headers of responses under `/api`. */
export const PRIVATE_RESPONSE_HEADERS = { 'cache-control': 'private, no-store', vary: 'Authorization' } as const;

/**
 * Marks every response under `/api` as private and dependent on `Authorization`, including errors, 304 and unknown
 * paths. A shared cache that uses only the URL as its key would send the response of one organization to another one.
 */
export function markApiResponsesPrivate(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (isUnderApi(request.originalUrl)) markPrivate(reply);
    done();
  });
}

/** Adds the missing private caching headers to a response. Stricter directives of the route are kept. */
export function markPrivate(reply: FastifyReply): void {
  const cacheControl = reply.getHeader('cache-control')?.toString();
  if (cacheControl === undefined) void reply.header('cache-control', PRIVATE_RESPONSE_HEADERS['cache-control']);
  else if (!/\bprivate\b/i.test(cacheControl)) void reply.header('cache-control', `private, ${cacheControl}`);
  const vary = reply.getHeader('vary')?.toString();
  if (vary === undefined) void reply.header('vary', PRIVATE_RESPONSE_HEADERS.vary);
  else if (!/(^|,)\s*(authorization|\*)\s*(,|$)/i.test(vary))
    void reply.header('vary', `${vary}, ${PRIVATE_RESPONSE_HEADERS.vary}`);
}

/** @param target the raw request target. Every spelling that a router or a cache may read as `/api` counts. */
export function isUnderApi(target: string): boolean {
  return /^\/+api(\/|$)/i.test(normalizedPathOf(target));
}
