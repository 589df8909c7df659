import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Leaves `Expect: 100-continue` unanswered until somebody wants the body: Node says "continue" at once, and a client
 * would then send 100 MB only to hear that they are refused.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
}

/** Asks a waiting client for the body. Call it when everything that can be refused without the body has passed. */
export function sendContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}
