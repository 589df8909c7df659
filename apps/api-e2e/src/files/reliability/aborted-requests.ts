import { connect, type Socket } from 'node:net';

/** The ways in which a client can disconnect. */
const DISCONNECTS: readonly ((socket: Socket) => void)[] = [
  (socket) => void socket.resetAndDestroy(),
  (socket) => void socket.destroy(),
  (socket) => void socket.end(),
];

export interface AbortedRequest {
  /** Port of the API. */
  readonly port: number;
  /** The complete request. */
  readonly parts: readonly Buffer[];
  /** Number of bytes after which the client disconnects. */
  readonly after: number;
  /** Selects the way to disconnect, from 0 to below 1. */
  readonly way: number;
}

/** Sends part of a request and disconnects. Resolves when the connection is closed. */
export function abortUpload({ port, parts, after, way }: AbortedRequest): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
    let left = after;
    for (const part of parts) {
      socket.write(part.subarray(0, left));
      left = Math.max(0, left - part.length);
    }
    socket.write('', () => disconnect(socket, way));
  });
}

/** The start of a response with a file. A refused request has a short one, after which the connection stays open. */
const OK = 'HTTP/1.1 200 ';

/** Sends a whole request, and disconnects after part of the response. */
export function abortDownload({ port, parts, after, way }: AbortedRequest): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let left = after;
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.once('data', (chunk: Buffer) => {
      if (chunk.toString('latin1', 0, OK.length) !== OK) left = 0;
    });
    socket.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) disconnect(socket, way);
    });
    for (const part of parts) socket.write(part);
    if (after === 0) socket.write('', () => disconnect(socket, way));
  });
}

function disconnect(socket: Socket, way: number): void {
  DISCONNECTS[Math.floor(way * DISCONNECTS.length)]?.(socket);
}

/** Encodes a body as chunks of 64 KiB. */
export function chunkedEncoding(body: Buffer): Buffer {
  const size = 64 * 1024;
  const chunks: Buffer[] = [];
  for (let from = 0; from < body.length; from += size) {
    const chunk = body.subarray(from, from + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
