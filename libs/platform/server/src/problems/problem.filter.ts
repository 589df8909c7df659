import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { enableLingeringClose } from '../http/lingering-close';
import { isUnderApi, markPrivate } from '../http/private-responses';
import type { DomainError } from './domain-error';
import { recordProblem } from './problem-log-fields';
import { domainErrorOf, problemOf } from './problem-of';

/** Answers every failure as Problem Details and logs defects. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Once the first byte is out, an answer can only be cut off: the client must never take half of it for the whole. */
export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = domainErrorOf(thrown);
  const problem = problemOf(error, request.id);
  recordProblem(request, error);
  const isDisconnected = reply.raw.destroyed && !reply.raw.headersSent;
  if (isDisconnected) {
    // What broke, broke because the client left: nobody hears the answer, and nothing is wrong here.
    request.log.info({ code: error.code }, 'client left before the answer');
  } else if (problem.status >= 500 && (isDefect(error) || reply.raw.headersSent)) {
    // The line of the request has the code and the cause of a failed dependency, unless the answer is cut off.
    request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  }
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  closeWhenBodyIsUnread(request, reply);
  reply
    .status(problem.status)
    .headers(error.headers ?? {})
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8');
  // The framework runs no hooks for an address that it cannot decode.
  if (isUnderApi(request.originalUrl)) markPrivate(reply);
  void reply.send(problem);
}

/** Whether our code failed, and not a dependency. `fetch` reports network failures as a TypeError that has a cause. */
function isDefect({ kind, cause }: DomainError): boolean {
  if (kind === 'internal') return true;
  const isProgrammingError = [TypeError, ReferenceError, RangeError].some((type) => cause instanceof type);
  return isProgrammingError && (cause as Error).cause === undefined;
}

/** A refused upload is still on its way: keeping the connection would mean reading all of it for nothing. */
function closeWhenBodyIsUnread(request: FastifyRequest, reply: FastifyReply): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  const hasBody = declared > 0 || request.headers['transfer-encoding'] !== undefined;
  if (!hasBody || request.raw.readableEnded) return;
  void reply.header('connection', 'close');
  // The request has let go of its connection when its body was given up half-way.
  if (reply.raw.socket) enableLingeringClose(reply.raw.socket);
}
