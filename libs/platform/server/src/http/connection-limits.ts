import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import {
  CapacityUnavailable,
  type DomainError,
  ExpectationFailed,
  InvalidRequest,
  RateLimited,
  statusOf,
} from '@homeport/kernel';
import { sendRawProblem } from './raw-problem-response';
import type { ConnectionTracker } from '../node-http/connection-tracker';
import { ignoreUpgrades } from '../node-http/ignore-upgrades';
import type { LoadShedder } from '../node-http/load-shedder';
import { wrapRequestHandler } from '../node-http/request-handler';
import { hasMultipleHostHeaders, isHostValid } from '../node-http/host-headers';
import { requestIdOf } from '../node-http/request-id';
import { hasBody, IncompleteBodies, type IncompleteBodiesOptions } from './incomplete-bodies';

/** One instance, because each new one would record its stack. */
const OVERLOADED = new CapacityUnavailable();

export interface ConnectionLimitsOptions extends IncompleteBodiesOptions {
  /** Handles a request that is admitted. Default: calls `handle`. */
  readonly trace?: ((request: IncomingMessage, response: ServerResponse, handle: () => void) => void) | undefined;
  /** Default: no request is refused because of the load. */
  readonly shedder?: Pick<LoadShedder, 'admit'>;
}

/**
 * Checks requests before the framework handles them: a single valid Host header, no upgrade, no unknown expectation, a
 * limited number of incomplete bodies, not more load than the process can serve. Call it last, so that a rejected request reaches no other handler.
 */
export function installConnectionLimits(
  fastify: FastifyInstance,
  connections: ConnectionTracker,
  { shedder, trace, ...options }: ConnectionLimitsOptions,
): void {
  const server: Server = fastify.server;
  const incompleteBodies = new IncompleteBodies(options);
  const reject = (error: DomainError, request: IncomingMessage, response: ServerResponse) => {
    const id = requestIdOf(request);
    const fields = {
      request_id: id,
      method: request.method,
      route: 'none',
      status: statusOf(error.kind),
      code: error.code,
    };
    fastify.log.info(fields, 'request');
    sendRawProblem(response, error, id);
  };
  // Some versions of Node silently drop headers above this count. The total size of the headers is limited anyway.
  server.maxHeadersCount = 0;
  wrapRequestHandler(server, (handle) => {
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      if (hasMultipleHostHeaders(request))
        reject(new InvalidRequest('The request has more than one Host header. Send exactly one.'), request, response);
      else if (!isHostValid(request))
        reject(new InvalidRequest('The Host header is missing or not a valid host name.'), request, response);
      else if (!incompleteBodies.admit(request)) reject(new RateLimited({ 'retry-after': '30' }), request, response);
      else if (trace) trace(request, response, () => handle(request, response));
      else handle(request, response);
    };
    return (request, response) => {
      connections.track(request, response);
      if (!shedder) serve(request, response);
      // First, and not logged: in an overload, a refusal must cost little. The connection of a body that is not read closes.
      else if (!shedder.admit(request, response, () => serve(request, response)))
        sendRawProblem(response, OVERLOADED, requestIdOf(request), { keepAlive: !hasBody(request) });
    };
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    connections.track(request, response);
    reject(new ExpectationFailed(), request, response);
  });
  ignoreUpgrades(server, (socket) => connections.isBusy(socket));
}
