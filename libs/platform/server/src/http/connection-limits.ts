import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { DomainError } from '../problems/domain-error';
import { statusOf } from '../problems/problem-of';
import { InvalidRequest, RateLimited } from '../problems/platform.errors';
import { sendRawProblem } from './raw-problem-response';
import type { ConnectionTracker } from './connection-tracker';
import { ignoreUpgrades } from './ignore-upgrades';
import { wrapRequestHandler } from './request-handler';
import { hasMultipleHostHeaders } from './host-headers';
import { requestIdOf } from './request-id';
import { IncompleteBodies, type IncompleteBodiesOptions } from './incomplete-bodies';

/**
 * Puts rules for whole connections before the framework: one Host, no upgrade, a limited number of incomplete bodies.
 * Call it last, so that a rejected request reaches no other handler.
 */
export function installConnectionLimits(
  fastify: FastifyInstance,
  connections: ConnectionTracker,
  options: IncompleteBodiesOptions,
): void {
  const server: Server = fastify.server;
  const unfinished = new IncompleteBodies(options);
  const refuse = (error: DomainError, request: IncomingMessage, response: ServerResponse) => {
    const id = requestIdOf(request);
    const facts = {
      request_id: id,
      method: request.method,
      route: 'none',
      status: statusOf(error.kind),
      code: error.code,
    };
    fastify.log.info(facts, 'request');
    sendRawProblem(response, error, id);
  };
  // The size of a head is limited already. Some versions of Node drop the headers above a number.
  server.maxHeadersCount = 0;
  wrapRequestHandler(server, (handle) => (request, response) => {
    connections.track(request, response);
    if (hasMultipleHostHeaders(request))
      refuse(new InvalidRequest('The request has several Host headers.'), request, response);
    else if (!unfinished.admit(request)) refuse(new RateLimited({ 'retry-after': '30' }), request, response);
    else handle(request, response);
  });
  ignoreUpgrades(server, (socket) => connections.isBusy(socket));
}
