import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type DomainError, HeadersTooLarge, InvalidRequest, RequestTimedOut } from '@homeport/kernel';
import { formatProblemMessage } from './raw-problem-response';

/**
 * Sends Problem Details for requests that the HTTP parser rejects, and closes the connection.
 * @param isResponding whether a response was sent partly; the client would read a second one as a part of it.
 */
export function clientErrorHandler(isResponding: (socket: Socket) => boolean) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable && !isResponding(socket))
      socket.write(formatProblemMessage(parserFailure(error.code), randomUUID()));
    socket.destroy(error);
  };
}

function parserFailure(code: string | undefined): DomainError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimedOut();
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge();
  return new InvalidRequest('The request could not be read. Check its syntax and headers.');
}
