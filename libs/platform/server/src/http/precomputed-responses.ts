import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { InternalError } from '../problems/platform.errors';
import { sendRawProblem } from './raw-problem-response';
import { wrapRequestHandler } from './request-handler';
import { requestIdOf } from './request-id';
import { roundedMs } from './request-log';

/** A response whose head and body are ready to send. */
export interface PrecomputedResponse {
  readonly status: number;
  /** Alternating names and values, including `Content-Length`. */
  readonly headers: readonly string[];
  /** One character per byte (latin1): Node then writes head and body at once, which is cheaper than a buffer. */
  readonly body?: string;
}

/** A GET route whose response is usually computed before the request arrives. */
export interface PrecomputedRoute {
  readonly path: string;
  /** The name in the route policies: `GET` and the path. */
  readonly name: string;
  /** @returns `undefined` when no response is ready; the framework then handles the request. */
  responseTo(headers: IncomingHttpHeaders): PrecomputedResponse | undefined;
}

export interface PrecomputedResponsesOptions {
  readonly routes: readonly PrecomputedRoute[];
  /**
   * Applies the same checks as the guards of the route.
   * @returns alternating names and values of additional headers, or `undefined` when the request is admitted without a
   * check. When the promise rejects, the framework handles the request and responds with the reason.
   */
  admit(route: string, request: IncomingMessage): Promise<readonly string[]> | undefined;
  /** While true, the framework handles all requests. */
  isDraining(): boolean;
}

const NO_HEADERS: readonly string[] = [];

/**
 * Sends precomputed responses without the framework, which costs twice as much as sending them. Call it after the
 * framework is ready. Clients see no difference: rejections, logs and limits are the same.
 */
export function servePrecomputedResponses(fastify: FastifyInstance, options: PrecomputedResponsesOptions): void {
  const { server } = fastify;
  const routes = new Map(options.routes.map((route) => [route.path, route]));
  const prepare = (route: PrecomputedRoute, request: IncomingMessage) => {
    try {
      const precomputed = route.responseTo(request.headers);
      return precomputed && { precomputed, admission: options.admit(route.name, request) };
    } catch (error) {
      // An uncaught error would end the process. The framework handles the request instead.
      fastify.log.error({ err: error, route: route.path }, 'precomputed response failed; using the route instead');
      return undefined;
    }
  };
  wrapRequestHandler(server, (handle) => (request, response) => {
    const route = request.method === 'GET' && !options.isDraining() ? routes.get(request.url ?? '') : undefined;
    const prepared = route && prepare(route, request);
    if (!prepared) return handle(request, response);
    const { precomputed, admission } = prepared;
    const id = requestIdOf(request);
    const startedAt = performance.now();
    const logRequest = () => {
      const fields = { request_id: id, method: 'GET', route: route.path };
      if (!response.writableFinished) return fastify.log.info(fields, 'client disconnected before the response ended');
      fastify.log.info(
        { ...fields, status: response.statusCode, ms: roundedMs(performance.now() - startedAt) },
        'request',
      );
    };
    const send = (admissionHeaders: readonly string[]) => {
      response.writeHead(precomputed.status, [...precomputed.headers, ...admissionHeaders, 'x-request-id', id]);
      response.end(precomputed.body, 'latin1');
    };
    const fallBack = () => {
      response.off('close', logRequest);
      handle(request, response);
    };
    // An uncaught error would end the process.
    const fail = (error: unknown) => {
      fastify.log.error({ err: error, route: route.path, request_id: id }, 'request failed');
      sendRawProblem(response, new InternalError({ cause: error }), id);
    };
    response.on('close', logRequest);
    if (admission) return void admission.then(send, fallBack).catch(fail);
    try {
      send(NO_HEADERS);
    } catch (error) {
      fail(error);
    }
  });
}
