import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A finished request. */
export interface MeasuredRequest {
  readonly method: string;
  /** The pattern of the route, such as `/api/apps/:id`; `none` for a request without one. */
  readonly route: string;
  /** `2xx` to `5xx`. */
  readonly status: string;
  readonly seconds: number;
}

/** Reports each finished request. Methods and routes are those of the route table, so that their number is limited. */
export function measureRequests(fastify: FastifyInstance, onRequest: (request: MeasuredRequest) => void): void {
  // Callbacks, because an async hook adds a promise to every request.
  fastify.addHook('onResponse', (request, reply, done) => {
    onRequest({
      ...routeOf(request),
      status: statusClass(reply.statusCode),
      seconds: reply.elapsedTime / 1_000,
    });
    done();
  });
}

/** @returns `2xx` to `5xx`. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

function routeOf({ routeOptions: { url: route }, method }: FastifyRequest): Pick<MeasuredRequest, 'method' | 'route'> {
  return route === undefined ? { method: 'any', route: 'none' } : { method, route };
}
