import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Delays the response to `Expect: 100-continue` until the body is needed. By default Node sends `100 Continue` at once,
 * and a client would upload 100 MB before it learns that the request is rejected.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
}

/** Tells a waiting client to send the body. Call it after all checks that do not need the body. */
export function sendContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}
