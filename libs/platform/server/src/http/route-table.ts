import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { MethodNotAllowed, NoRoute } from '../problems/platform.errors';

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export interface RouteTable {
  errorFor(method: string, rawPath: string): NoRoute | MethodNotAllowed;
  /** Every route added so far, as `GET /api/apps/:id`. HEAD is left out: it follows GET. */
  names(): string[];
}

/**
 * Remembers which methods each address answers, so that a wrong method is a 405 with `Allow` and not a 404.
 * Call it before routes are added.
 */
export function collectRoutes(fastify: FastifyInstance): RouteTable {
  const methodsOf = new Map<string, Set<string>>();
  const names = new Set<string>();
  // As long as the longest address Fastify routes: whether a parameter is too long is the route's business.
  const router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  fastify.addHook('onRoute', ({ method, url }) => {
    // One address may be `/:id` for one method and `/:name` for another.
    const address = url.replace(/:\w+/g, ':_');
    const methods = methodsOf.get(address) ?? new Set();
    if (methods.size === 0) router.on('GET', address, () => undefined, methods);
    methodsOf.set(address, methods);
    for (const each of [method].flat()) {
      methods.add(each);
      if (each !== 'HEAD') names.add(`${each} ${url}`);
    }
  });
  return {
    errorFor(method, rawPath) {
      const methods = router.find('GET', rawPath)?.store as Set<string> | undefined;
      // The router takes a spelling for the route that the server does not: then nothing is there.
      if (!methods || methods.has(method)) return new NoRoute();
      return new MethodNotAllowed(ORDER.filter((each) => methods.has(each)));
    },
    names: () => [...names],
  };
}
