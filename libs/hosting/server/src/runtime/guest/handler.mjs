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

/** Visitors get no text of an error; the log of the app has it. */
async function onFetchError(error) {
  const { RequestError } = await import('@hono/node-server');
  if (error instanceof RequestError) return new Response('Bad request', { status: 400 });
  console.error(error);
  return new Response('Internal server error', { status: 500 });
}

async function assertResponse(response) {
  const awaited = await response;
  // Angular's answer for an address that it does not know.
  if (awaited === null) return new Response('Not found', { status: 404 });
  if (typeof awaited?.status === 'number' && awaited.status >= 200 && 'body' in awaited) return awaited;
  throw new TypeError(`The handler “${exportName}” of ${file} returned no response.`);
}

async function listenerOf(handler) {
  const fetch = fetchOf(handler);
  if (fetch !== undefined) {
    const { getRequestListener } = await import('@hono/node-server');
    const listener = async (request) => assertResponse(fetch(request));
    return getRequestListener(listener, { overrideGlobalObjects: false, errorHandler: onFetchError });
  }
  if (typeof handler !== 'function')
    throw new TypeError(`${file} has no request handler as its export “${exportName}”.`);
  return async (request, response) => {
    try {
      await handler(request, response);
    } catch (error) {
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end('Internal server error');
    }
  };
}

const exports = await import(pathToFileURL(file).href);
const exported = exports[exportName];
// A CommonJS module compiled from ESM has its default export one level deeper.
const handler = exported?.__esModule ? exported.default : exported;
createServer(await listenerOf(handler)).listen(Number(process.env['PORT']), '127.0.0.1');
