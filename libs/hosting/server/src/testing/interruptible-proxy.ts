import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy whose connections can be interrupted and restored. */
export class InterruptibleProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;
  #port = 0;

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(one);
        one.on('data', (bytes) => this.#isSilent || other.write(bytes));
        one.on('error', () => undefined);
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  /** @param target the address of the service. @returns the proxy, and the address of the service through it. */
  static async to(target: string): Promise<{ proxy: InterruptibleProxy; url: string }> {
    const url = new URL(target);
    const proxy = new InterruptibleProxy(new URL(target));
    await proxy.restore();
    url.hostname = '127.0.0.1';
    url.port = String(proxy.#port);
    return { proxy, url: url.href };
  }

  /** Closes all connections and rejects new ones. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Drops bytes in both directions without closing the connections. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Accepts new connections again. */
  async restore(): Promise<void> {
    this.#isSilent = false;
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }
}
