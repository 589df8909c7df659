import { createSocket } from 'node:dgram';
import type { Socket as UdpSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { hasCode, SetupFailed } from '../errors.ts';
import type { Transport } from './responder.ts';

export type Responder = (message: Buffer, transport: Transport) => Buffer | undefined;

export interface Listeners {
  port: number;
  close(): Promise<void>;
}

const IDLE_MILLISECONDS = 10_000;
const FREE_PORT_TRIES = 10;

/** Answers on one port over UDP and TCP. Port 0 picks one that is free for both. */
export async function listen(host: string, port: number, respond: Responder): Promise<Listeners> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOnBoth(host, port, respond);
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE', 'EACCES')) throw error;
      if (port !== 0 || tries >= FREE_PORT_TRIES) {
        throw new SetupFailed(`Port ${port} is in use or not allowed. Set DNS_PORT to another port.`);
      }
    }
  }
}

async function listenOnBoth(host: string, port: number, respond: Responder): Promise<Listeners> {
  const sockets = new Set<Socket>();
  const tcp = await listenTcp(host, port, (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    answerStream(socket, respond);
  });
  const address = tcp.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  const closeTcp = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => tcp.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  try {
    const udp = await listenUdp(host, actual, respond);
    const closeUdp = (): Promise<void> => new Promise((resolve) => udp.close(() => resolve()));
    return { port: actual, close: async () => void (await Promise.all([closeTcp(), closeUdp()])) };
  } catch (error) {
    await closeTcp();
    throw error;
  }
}

function listenTcp(host: string, port: number, onSocket: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onSocket);
    server.once('error', reject).listen({ host, port, exclusive: true }, () => resolve(server.off('error', reject)));
  });
}

function listenUdp(host: string, port: number, respond: Responder): Promise<UdpSocket> {
  return new Promise((resolve, reject) => {
    // mDNS daemons bind 5353 on all addresses and allow sharing; our more specific address receives its own packets.
    // The exclusive TCP socket ensures that no other server uses our port.
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.on('message', (message, from) => {
      const answer = respond(message, 'udp');
      if (answer) socket.send(answer, from.port, from.address, ignore);
    });
    socket.once('error', reject).bind({ address: host, port, exclusive: true }, () => {
      socket.off('error', reject).on('error', ignore);
      resolve(socket);
    });
  });
}

/** RFC 7766: each message is prefixed with its length; a client may pipeline several queries. */
function answerStream(socket: Socket, respond: Responder): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.setTimeout(IDLE_MILLISECONDS, () => socket.destroy());
  socket.on('error', ignore);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2) {
      const length = pending.readUInt16BE(0);
      if (pending.length < length + 2) return;
      const answer = respond(pending.subarray(2, length + 2), 'tcp');
      pending = pending.subarray(length + 2);
      if (answer) socket.write(framed(answer));
    }
  });
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** Ignores clients that disconnected; UDP reports them on the shared socket. */
const ignore = (): undefined => undefined;
