import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { MethodNotAllowed, NoRoute } from '@homeport/kernel';

const METHOD_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export interface RouteTable {
  errorFor(method: string, rawPath: string): NoRoute | MethodNotAllowed;
  /** The names of all added routes, such as `GET /api/apps/:id`. HEAD is omitted, because it follows GET. */
  names(): string[];
}

/**
 * Collects the methods of each path, so that a wrong method gets 405 with `Allow` instead of 404. Call it before routes
 * are added.
 */
export function collectRoutes(fastify: FastifyInstance): RouteTable {
  const methodsOf = new Map<string, Set<string>>();
  const names = new Set<string>();
  // No limit for parameters: the routes check their length.
  const router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  fastify.addHook('onRoute', ({ method, url }) => {
    // The same path may be `/:id` for one method and `/:name` for another.
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
      // This router accepts spellings that Fastify does not route; those paths do not exist.
      if (!methods || methods.has(method)) return new NoRoute();
      return new MethodNotAllowed(
        METHOD_ORDER.filter((each) => methods.has(each)),
        method,
      );
    },
    names: () => [...names],
  };
}
