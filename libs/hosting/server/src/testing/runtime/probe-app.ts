/** A server whose routes show how requests reach it. */
export const PROBE_APP = `
import { createServer } from 'node:http';

if (process.env.EXIT) process.exit(Number(process.env.EXIT));
console.log('listening');
let release = () => undefined;
const routes = {
  '/': (request, response) => {
    if (process.env.FIRST) return routes[process.env.FIRST](request, response);
    response.end(process.env.GREETING ?? 'hello');
  },
  '/environment': (request, response) => response.end(JSON.stringify(process.env)),
  '/echo': (request, response) => request.pipe(response),
  '/headers': (request, response) => response.end(JSON.stringify(request.rawHeaders)),
  '/early': (request, response) => response.writeHead(401).end('no access'),
  '/cookies': (request, response) => response.setHeader('Set-Cookie', ['a=1; Domain=apps.localhost', 'b=2']).end(),
  '/events': (request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    release = () => response.end('data: 2\\n\\n');
    response.write('data: 1\\n\\n');
  },
  '/head-only': (request, response) => {
    response.flushHeaders();
    release = () => response.end('late');
  },
  '/endless': (request, response) => {
    let count = 0;
    const writeNext = () => response.destroyed || (response.write(++count + '\\n') ? setImmediate(writeNext) : response.once('drain', writeNext));
    writeNext();
  },
  '/release': (request, response) => {
    release();
    response.end();
  },
  '/spoof': (request, response) => response.setHeader('X-Homeport-Runtime', 'queue-full').end(),
  '/broken': (request, response) => {
    response.write('part');
    setImmediate(() => response.destroy());
  },
  // Sends the bytes of the query as they are, and closes the connection.
  '/raw': (request) => request.socket.end(Buffer.from(request.url.split('?')[1], 'base64url')),
  // 5,000 chunks of one byte.
  '/chunks': ({ socket }) =>
    socket.end('HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n' + '1\\r\\nx\\r\\n'.repeat(5000) + '0\\r\\n\\r\\n'),
  '/many-chunks': (request, response) => {
    for (let count = 0; count < 10_000; count += 1) response.write('x');
    response.end();
  },
  '/sized': (request, response) => response.end(Buffer.alloc(Number(request.url.split('?')[1]) * 1024)),
  '/large': (request, response) => response.end(Buffer.alloc(16 * 1024 * 1024)),
  '/never': () => undefined,
  '/log': (request, response) => {
    console.log('a line');
    response.end();
  },
  '/crash': () => process.exit(7),
};

createServer((request, response) => {
  const route = routes[request.url.split('?')[0]];
  if (route) route(request, response);
  else response.writeHead(404).end('not here');
})
  .on('upgrade', (request, socket, rest) => {
    if (request.url === '/status-99') return socket.end('HTTP/1.1 099 Odd\\r\\nContent-Length: 0\\r\\n\\r\\n');
    if (request.url === '/no-socket') return socket.end('HTTP/1.1 403 Forbidden\\r\\nContent-Length: 2\\r\\n\\r\\nno');
    socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n');
    if (rest.length > 0) socket.write(rest);
    socket.on('error', () => undefined);
    if (request.url === '/closing') return socket.end('bye');
    socket.pipe(socket);
  })
  .listen(process.env.PORT);
`;
