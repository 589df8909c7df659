/** Servers of apps for the tests of sandboxes. */

/** Answers requests, streams, upgrades and reports about itself. */
export const ECHO_SERVER = `
import { createServer } from 'node:http';
const server = createServer((request, response) => {
  if (request.url === '/environment') return response.end(JSON.stringify(process.env));
  if (request.url === '/time') return response.end(String(Date.now()));
  if (request.url === '/address') return response.end(request.socket.remoteAddress);
  if (request.url === '/exit') return process.exit(7);
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\\n\\n');
    server.once('finish-events', () => response.end('data: last\\n\\n'));
    return;
  }
  if (request.url === '/finish-events') server.emit('finish-events');
  response.setHeader('x-method', request.method);
  request.pipe(response);
});
server.on('upgrade', (request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n');
  socket.pipe(socket);
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening on', server.address().port));
process.on('SIGTERM', () => {
  console.error('finishing');
  server.close(() => process.exit(0));
});
`;

/** Listens and ignores the request to stop. */
export const STUBBORN_SERVER = `
import { createServer } from 'node:http';
process.on('SIGTERM', () => console.log('ignored'));
createServer((_, response) => response.end()).listen(Number(process.env.PORT));
`;
