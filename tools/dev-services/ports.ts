import { createServer } from 'node:net';
import { hasCode } from './errors.ts';

/** Returns a free TCP port. Another process may take it before use, so callers must still handle a conflict. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = await listenOnce(0, host);
  if (port === undefined) throw new Error('The system has no free port');
  return port;
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (hasCode(error, 'EADDRINUSE', 'EACCES') ? resolve(undefined) : reject(error)));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
