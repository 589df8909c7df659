import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

const handlers = new WeakMap<Server, RequestHandler>();

/**
 * Replaces the handler that answers requests with a wrapper around it. Call it after the framework has registered its
 * handler. Observers of `request` must be prepended: on the first call the last listener is the handler.
 * @param wrap receives the current handler and returns the new one.
 * @throws {Error} when the server has no handler.
 */
export function wrapRequestHandler(server: Server, wrap: (handle: RequestHandler) => RequestHandler): void {
  const listeners = server.listeners('request') as RequestHandler[];
  const known = handlers.get(server);
  const current = known && listeners.includes(known) ? known : listeners.at(-1);
  if (!current) throw new Error('The server has no request handler to wrap.');
  const wrapped = wrap(current);
  server.off('request', current).on('request', wrapped);
  handlers.set(server, wrapped);
}
