// Runs inside every sandbox before the code of the app (`node --import`): receives the environment, and lets the HTTP
// server of the app answer on a unix socket that the runtime outside connects to.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const STDIN = 0;
/** The unix socket of the app, which the runtime opened. */
const HTTP_SOCKET = 3;
/** To the runtime: `listening`. From the runtime: `stop`. */
const CONTROL = 4;
const LISTENED = 'tracing:net.server.listen:asyncEnd';

/** Makes a connection of the unix socket look like one of the loopback interface: frameworks read its address. */
const LOOPBACK = { remoteAddress: '127.0.0.1', remoteFamily: 'IPv4', remotePort: 0, localAddress: '127.0.0.1' };

function receiveEnvironment() {
  const { environment } = JSON.parse(readFileSync(STDIN, 'utf8'));
  for (const [name, value] of Object.entries(environment)) process.env[name] = value;
}

/** Prepares a connection to the runtime for messages. */
function adoptControl(control) {
  control.setEncoding('utf8');
  // A server without a handler ends at once; one with a handler finishes its requests.
  control.on('data', (message) => message.includes('stop') && process.kill(process.pid, 'SIGTERM'));
  // The runtime has ended; the sandbox ends with it.
  control.on('error', () => undefined);
  control.unref();
  return control;
}

/** In a sandbox that inherits no descriptors, the guest creates its socket before the folder is closed for writing. */
async function openChannel({ control: path, http }, front) {
  await once(front.listen(http), 'listening');
  front.unref();
  const control = connect(path);
  await once(control, 'connect');
  control.write('opened\n');
  await once(control, 'data');
  // The runtime has ended.
  control.once('close', () => process.exit(1));
  return adoptControl(control);
}

/** Hands connections of the unix socket to the HTTP server of the app: the one on PORT, otherwise the first one. */
async function serveOnUnixSocket(channel, { Server: HttpServer }) {
  let current;
  const front = createServer({ allowHalfOpen: true }, (socket) => {
    for (const [name, value] of Object.entries(LOOPBACK)) Object.defineProperty(socket, name, { value });
    current.emit('connection', socket);
  });
  const control = channel ? await openChannel(channel, front) : adoptControl(new Socket({ fd: CONTROL }));
  const adopt = ({ server }) => {
    if (!(server instanceof HttpServer)) return;
    const isOnPort = String(server.address()?.port) === process.env['PORT'];
    if (current !== undefined && !isOnPort) return;
    const isFirst = current === undefined;
    current = server;
    // The runtime closes idle connections. A limit here would close them while the next request is on its way.
    server.keepAliveTimeout = 0;
    if (isOnPort) unsubscribe(LISTENED, adopt);
    server.once('close', () => server === current && front.close());
    if (!isFirst) return;
    if (channel) return control.write('listening\n');
    front.listen({ fd: HTTP_SOCKET }, () => control.write('listening\n'));
    // The server of the app decides how long the process lives.
    front.unref();
  };
  subscribe(LISTENED, adopt);
}

/** The proxy does not listen for a second after many connections. */
const PROXY_ATTEMPTS = 8;
const PROXY_PAUSE_MS = 250;

/** Connects to the proxy outside; destroys `inside` when that fails. */
function connectToProxy(path, inside, onConnected, attempts = PROXY_ATTEMPTS) {
  const outside = connect({ path, allowHalfOpen: true });
  const retry = () => {
    if (attempts === 1 || inside.destroyed) return inside.destroy();
    setTimeout(connectToProxy, PROXY_PAUSE_MS, path, inside, onConnected, attempts - 1);
  };
  outside.once('error', retry);
  outside.once('connect', () => {
    outside.off('error', retry);
    onConnected(outside);
  });
}

/** Carries connections to the proxy outside, the only way out of the sandbox. */
function forwardToProxy(port, path) {
  const forwarder = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (inside) => {
    inside.on('error', () => inside.destroy());
    connectToProxy(path, inside, (outside) => {
      for (const [from, to] of [
        [inside, outside],
        [outside, inside],
      ]) {
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
      if (inside.destroyed) outside.destroy();
      else inside.resume();
    });
  });
  forwarder.on('error', (error) =>
    console.error(`The port of the network proxy could not be opened: ${error.message}`),
  );
  forwarder.listen(port, '127.0.0.1').unref();
}

/** Where Node and the package undici look for what sends the requests of `fetch` and WebSockets. */
const DISPATCHERS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for);

/**
 * Sends what `fetch` requests through the proxy. With the proxy in its first environment, Node would load its client for
 * `fetch` at the start of every app; this sets the proxy when the first request is sent.
 */
function sendFetchThroughProxy(http) {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = process.env;
  let proxied;
  const openProxied = () => {
    const https = process.getBuiltinModule('node:https');
    const agents = [http.globalAgent, https.globalAgent];
    http.setGlobalProxyFromEnv({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY });
    // These use the proxy already, or the app has replaced them.
    [http.globalAgent, https.globalAgent] = agents;
    return globalThis[DISPATCHERS[0]];
  };
  const value = { dispatch: (...request) => (proxied ??= openProxied()).dispatch(...request) };
  for (const name of DISPATCHERS)
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

const { HOMEPORT_GUEST } = process.env;
// Worker threads and child processes of the app load this file again: it does nothing there.
if (HOMEPORT_GUEST !== undefined && isMainThread) {
  delete process.env['HOMEPORT_GUEST'];
  const { proxy, channel } = JSON.parse(HOMEPORT_GUEST);
  receiveEnvironment();
  // Its agent reads the proxy from the environment when the module is loaded. An import would load the client for fetch.
  const http = process.getBuiltinModule('node:http');
  if (proxy) {
    forwardToProxy(proxy.port, proxy.path);
    sendFetchThroughProxy(http);
  }
  await serveOnUnixSocket(channel, http);
}
