import { lookup } from 'node:dns';
import { Agent, WebSocket } from 'undici';
import type { SiteFiles } from './apps/archives';

/** An SSR app that renders a page, and sends every message of a WebSocket back. It has no packages. */
export const WEBSOCKET_APP: SiteFiles = {
  'server.js': `
    const { createHash } = require('node:crypto');
    const { createServer } = require('node:http');
    const accept = (key) => createHash('sha1').update(key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
    createServer((request, response) => response.end('<h1>Rendered</h1>'))
      .on('upgrade', (request, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n' +
          'Sec-WebSocket-Accept: ' + accept(request.headers['sec-websocket-key']) + '\\r\\n\\r\\n');
        // A frame of at most 125 bytes: two bytes, a mask of four, and the masked text.
        socket.on('data', (frame) => {
          const text = frame.subarray(6).map((byte, at) => byte ^ frame[2 + (at % 4)]);
          socket.write(Buffer.concat([Buffer.from([frame[0], text.length]), text]));
        });
      })
      .listen(process.env.PORT);`,
};

/** Sends a message by wss to a port of this machine. @returns the first message that arrives. */
export async function echoThroughWebSocket(hostname: string, port: number, message: string): Promise<unknown> {
  const toLoopback: typeof lookup = ((_: string, options: object, found: never) =>
    lookup('127.0.0.1', options, found)) as never;
  const dispatcher = new Agent({ allowH2: false, connect: { rejectUnauthorized: false, lookup: toLoopback } });
  const socket = new WebSocket(`wss://${hostname}:${port}/`, { dispatcher });
  try {
    return await new Promise((resolve, reject) => {
      socket.addEventListener('open', () => socket.send(message));
      socket.addEventListener('message', ({ data }) => resolve(data));
      socket.addEventListener('error', ({ error, message: reason }) => reject(new Error(reason, { cause: error })));
    });
  } finally {
    socket.close();
    await dispatcher.destroy();
  }
}
