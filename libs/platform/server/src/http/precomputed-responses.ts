import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { InternalError } from '../problems/platform.errors';
import { sendRawProblem } from './raw-problem-response';
import { wrapRequestHandler } from './request-handler';
import { requestIdOf } from './request-id';
import { roundedMs } from './request-log';

/** An answer that only has to be sent. */
export interface PrecomputedResponse {
  readonly status: number;
  /** Names and values in turns, the length of the body among them. */
  readonly headers: readonly string[];
  /** A character for each byte: Node then sends head and body in one piece, which is cheaper than a buffer. */
  readonly body?: string;
}

/** A GET route whose answer is ready most of the time, before anybody asks. */
export interface PrecomputedRoute {
  readonly path: string;
  /** As the policies have it: `GET` and the path. */
  readonly name: string;
  /** Never waits. @returns undefined when there is none: then the route itself answers, in its usual way. */
  responseTo(headers: IncomingHttpHeaders): PrecomputedResponse | undefined;
}

export interface PrecomputedResponsesOptions {
  readonly routes: readonly PrecomputedRoute[];
  /**
   * Decides as the guards of the route would.
   * @returns headers about it, in turns, or at once nothing. Whoever is refused is sent the usual way, and told why there.
   */
  admit(route: string, request: IncomingMessage): Promise<readonly string[]> | undefined;
  /** While true everything goes the usual way. */
  isDraining(): boolean;
}

const NO_HEADERS: readonly string[] = [];

/**
 * Sends answers that are ready without a way through the framework, which costs twice as much as sending them. Call it
 * when the server is complete. Who asks, and how, sees no difference: refusals, logs and limits are the same.
 */
export function servePrecomputedResponses(fastify: FastifyInstance, options: PrecomputedResponsesOptions): void {
  const { server } = fastify;
  const routes = new Map(options.routes.map((route) => [route.path, route]));
  const prepare = (route: PrecomputedRoute, request: IncomingMessage) => {
    try {
      const answer = route.responseTo(request.headers);
      return answer && { answer, admission: options.admit(route.name, request) };
    } catch (error) {
      // Thrown at Node it would end the process. The usual way answers it, or what goes wrong there.
      fastify.log.error({ err: error, route: route.path }, 'what is ready could not be sent');
      return undefined;
    }
  };
  wrapRequestHandler(server, (handle) => (request, response) => {
    const route = request.method === 'GET' && !options.isDraining() ? routes.get(request.url ?? '') : undefined;
    const prepared = route && prepare(route, request);
    if (!prepared) return handle(request, response);
    const { answer, admission } = prepared;
    const id = requestIdOf(request);
    const begin = performance.now();
    const logRequest = () => {
      const facts = { request_id: id, method: 'GET', route: route.path };
      if (!response.writableFinished) return fastify.log.info(facts, 'client left before the answer');
      fastify.log.info({ ...facts, status: response.statusCode, ms: roundedMs(performance.now() - begin) }, 'request');
    };
    const send = (admission: readonly string[]) => {
      response.writeHead(answer.status, [...answer.headers, ...admission, 'x-request-id', id]);
      response.end(answer.body, 'latin1');
    };
    const fallBack = () => {
      response.off('close', logRequest);
      handle(request, response);
    };
    // An error that nothing catches would end the process.
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
