import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to a service that can be cut, and mended. */
export class InterruptibleProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;
  #port = 0;

  private constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
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

  /** @param target the address of the service. @returns the line, and the address that goes over it. */
  static async to(target: string): Promise<{ line: InterruptibleProxy; url: string }> {
    const url = new URL(target);
    const line = new InterruptibleProxy(new URL(target));
    await line.restore();
    url.hostname = '127.0.0.1';
    url.port = String(line.#port);
    return { line, url: url.href };
  }

  /** Nobody gets through, and who was is cut off. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Bytes vanish on both ways, and nobody is told. */
  silence(): void {
    this.#isSilent = true;
  }

  /** New connections get through again. */
  async restore(): Promise<void> {
    this.#isSilent = false;
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }
}
