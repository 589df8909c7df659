import type { FastifyInstance } from 'fastify';

const YEAR_S = 31_536_000;

/**
 * Tells browsers to use https only, for a year after each response. Subdomains are left out, because other people may
 * serve them.
 */
export function requireHttps(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('strict-transport-security', `max-age=${YEAR_S}`);
    done();
  });
}
