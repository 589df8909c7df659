// A bare Fastify route that only sends bytes: the baseline of `bench:pricing`. Receives the bytes as an IPC message and
// replies with its port.
import { once } from 'node:events';
import Fastify from 'fastify';

const [{ body, type }] = await once(process, 'message');
const bytes = Buffer.from(body, 'base64');
const server = Fastify();
server.get('/', (_request, reply) => reply.type(type).send(bytes));
await server.listen({ port: 0, host: '127.0.0.1' });
process.send(server.server.address().port);
