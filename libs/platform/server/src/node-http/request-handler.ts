import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

const handlers = new WeakMap<Server, RequestHandler>();

/**
 * Wraps the request handler of a server. Call it after the framework has registered its handler. Prepend observers of
 * `request`, because the first call takes the last listener as the handler.
 * @param wrap receives the current handler and returns the new one.
 * @throws {Error} when the server has no handler.
 */
export function wrapRequestHandler(server: Server, wrap: (handle: RequestHandler) => RequestHandler): void {
  const listeners = server.listeners('request') as RequestHandler[];
  const lastWrapper = handlers.get(server);
  const current = lastWrapper && listeners.includes(lastWrapper) ? lastWrapper : listeners.at(-1);
  if (!current) throw new Error('The server has no request handler to wrap.');
  const wrapped = wrap(current);
  server.off('request', current).on('request', wrapped);
  handlers.set(server, wrapped);
}
