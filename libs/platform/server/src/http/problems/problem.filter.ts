import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { enableLingeringClose } from '../../node-http/lingering-close';
import { isUnderApi, markPrivate } from '../private-responses';
import { type DomainError, problemOf } from '@homeport/kernel';
import { problemLogFieldsOf, recordProblem } from './problem-log-fields';
import { domainErrorOf } from './domain-error-of';

/** Sends every error as Problem Details and logs unexpected ones. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/**
 * Sends an error as Problem Details. When a part of the response was sent already, it closes the connection instead, so
 * that the client does not take an incomplete response for a complete one.
 */
export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = domainErrorOf(thrown);
  const problem = problemOf(error, request.id);
  recordProblem(request, error);
  const isDisconnected = reply.raw.destroyed && !reply.raw.headersSent;
  if (isDisconnected) {
    // The request log tells that the client disconnected. This line tells a failure that has another cause.
    if (problem.status >= 500 && (error.cause ?? thrown) !== request.raw.errored)
      request.log.info({ ...problemLogFieldsOf(request) }, 'client disconnected before the response ended');
  } else if (problem.status >= 500 && (isDefect(error) || reply.raw.headersSent)) {
    // For a failed dependency the log line of the request has code and cause, unless the response was cut off.
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
  // Fastify runs no hooks for a path that it cannot decode.
  if (isUnderApi(request.originalUrl)) markPrivate(reply);
  void reply.send(problem);
}

/** Whether the code has a defect. `fetch` reports network failures as a TypeError with a cause; these do not count. */
function isDefect({ kind, cause }: DomainError): boolean {
  if (kind === 'internal') return true;
  const isProgrammingError = [TypeError, ReferenceError, RangeError].some((type) => cause instanceof type);
  return isProgrammingError && (cause as Error).cause === undefined;
}

/** Closes the connection after a rejected upload. Keeping it open would mean reading the rest of the body. */
function closeWhenBodyIsUnread(request: FastifyRequest, reply: FastifyReply): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  const hasBody = declared > 0 || request.headers['transfer-encoding'] !== undefined;
  if (!hasBody || request.raw.readableEnded) return;
  void reply.header('connection', 'close');
  // The socket is null when the body was abandoned half-way.
  if (reply.raw.socket) enableLingeringClose(reply.raw.socket);
}
