// Node's HTTP server that only sends bytes from memory: the baseline of `bench:edge`. Receives the response as an IPC
// message and replies with its port.
import { once } from 'node:events';
import { createServer } from 'node:http';

const [{ body, etag, headers, unchanged }] = await once(process, 'message');
const bytes = Buffer.from(body, 'base64');
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.headers['if-none-match'] === etag) response.writeHead(304, unchanged).end();
  else response.writeHead(200, headers).end(bytes);
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
