import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** What a server reads of the connection of a visitor. */
export type ConnectionFacts = Pick<TLSSocket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'> & {
  readonly servername: string | false | undefined;
};

type Done = (error?: Error | null) => void;

/** Two ends of a connection in this process: what is written to one is read from the other, as over TCP. */
export interface InMemoryConnection {
  readonly client: ConnectionEnd;
  /** Looks to a server like the socket of the visitor. */
  readonly server: ConnectionEnd;
}

export function createInMemoryConnection(facts: ConnectionFacts): InMemoryConnection {
  const client = new ConnectionEnd();
  const server = Object.assign(new ConnectionEnd(), facts, { encrypted: true });
  client.connect(server);
  server.connect(client);
  return { client, server };
}

/** The part of `Socket` that Node's HTTP server and client use. */
export class ConnectionEnd extends Duplex {
  bytesRead = 0;
  bytesWritten = 0;
  #peer: ConnectionEnd | undefined;
  /** Continues the peer after its data was read. */
  #resumePeer: Done | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  connect(peer: ConnectionEnd): void {
    this.#peer = peer;
  }

  /** Emits `timeout` when nothing is transferred for a while, as sockets do. @param limitMs 0 ends the check. */
  setTimeout(limitMs: number, onTimeout?: () => void): this {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = limitMs > 0 ? setTimeout(() => this.emit('timeout'), limitMs).unref() : undefined;
    if (onTimeout && limitMs > 0) this.once('timeout', onTimeout);
    else if (onTimeout) this.off('timeout', onTimeout);
    return this;
  }

  /** Closes after everything is written, which ends the other end too. Node's server calls it after the last response. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }

  override _read(): void {
    const resumePeer = this.#resumePeer;
    this.#resumePeer = undefined;
    resumePeer?.();
  }

  override _write(chunk: Buffer, _: unknown, done: Done): void {
    this.#send(chunk, done);
  }

  /** The head and the beginning of the body of a response, for example. */
  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: Done): void {
    this.#endPeer();
    done();
  }

  /** The peer reads what was written before. */
  override _destroy(error: Error | null, done: Done): void {
    clearTimeout(this.#idleTimer);
    this.#endPeer();
    this._read();
    done(error);
  }

  #endPeer(): void {
    const peer = this.#peer;
    if (peer && !peer.destroyed && !peer.readableEnded) peer.push(null);
  }

  #send(chunk: Buffer, done: Done): void {
    const peer = this.#peer;
    this.#idleTimer?.refresh();
    this.bytesWritten += chunk.length;
    // Like the first bytes that a socket sends to a closed connection.
    if (!peer || peer.destroyed || chunk.length === 0) return done();
    peer.#receive(chunk, () => {
      this.#idleTimer?.refresh();
      done();
    });
  }

  #receive(chunk: Buffer, done: Done): void {
    this.#idleTimer?.refresh();
    this.bytesRead += chunk.length;
    if (this.push(chunk)) done();
    else this.#resumePeer = done;
  }
}
