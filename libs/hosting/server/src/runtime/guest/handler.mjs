// Serves an exported request handler. Arguments: the file, the name of the export.
import { pathToFileURL } from 'node:url';

// An import of node:http would load the client for `fetch` too, because that module exports WebSocket.
const { createServer } = process.getBuiltinModule('node:http');
const [file, exportName] = process.argv.slice(2);

/** Angular marks its handlers of fetch requests. */
const ANGULAR_FETCH_HANDLER = '__ng_request_handler__';

/** A Node handler takes request and response; one for fetch takes a request and returns a response. */
function fetchOf(handler) {
  if (typeof handler?.fetch === 'function') return (request) => handler.fetch(request);
  if (typeof handler !== 'function') return undefined;
  return ANGULAR_FETCH_HANDLER in handler || handler.length < 2 ? handler : undefined;
}

async function listenerOf(handler) {
  const fetch = fetchOf(handler);
  if (fetch !== undefined) {
    const { getRequestListener } = await import('@hono/node-server');
    return getRequestListener(fetch, { overrideGlobalObjects: false });
  }
  if (typeof handler === 'function') return handler;
  throw new TypeError(`${file} has no request handler as its export “${exportName}”.`);
}

const exports = await import(pathToFileURL(file).href);
const exported = exports[exportName];
// A CommonJS module compiled from ESM has its default export one level deeper.
const handler = exported?.__esModule ? exported.default : exported;
createServer(await listenerOf(handler)).listen(Number(process.env['PORT']), '127.0.0.1');
