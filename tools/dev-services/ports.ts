import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { hasCode } from './errors.ts';

/** Ports below those from which systems choose the ports of clients and of servers that listen on port 0. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_767;
const ATTEMPTS = 100;

/**
 * Returns a free TCP port that the system gives to no other process unasked. A port that the system chose may be taken by any
 * connection before its owner listens on it.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`No free port was found between ${FIRST_PORT} and ${LAST_PORT}`);
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (hasCode(error, 'EADDRINUSE', 'EACCES') ? resolve(false) : reject(error)));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
