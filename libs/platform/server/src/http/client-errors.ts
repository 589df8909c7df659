import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { DomainError } from '../problems/domain-error';
import { HeadersTooLarge, InvalidRequest, RequestTimedOut } from '../problems/platform.errors';
import { formatProblemMessage } from './raw-problem-response';

/**
 * Answers what the HTTP parser refuses with Problem Details and closes the connection.
 * @param isAnswering whether an answer is under way on the connection; a second one would be read as a part of it.
 */
export function clientErrorHandler(isAnswering: (socket: Socket) => boolean) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable && !isAnswering(socket))
      socket.write(formatProblemMessage(parserFailure(error.code), randomUUID()));
    socket.destroy(error);
  };
}

function parserFailure(code: string | undefined): DomainError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimedOut();
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge();
  return new InvalidRequest('The request could not be read. Check its syntax and headers.');
}
