import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A request that was forwarded. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Undefined until the API has responded. */
  status: number | undefined;
}

/** Forwards requests to the API, and records them. */
export class CountingProxy {
  /** In the order of arrival. */
  readonly exchanges: Exchange[] = [];
  /** Called when a request arrives, when its body was forwarded, and when the API has responded. */
  onStep: () => void = () => undefined;
  readonly #server: Server;
  readonly #pending = new Set<Promise<unknown>>();

  private constructor(private readonly target: URL) {
    this.#server = createServer((incoming, response) => this.#forward(incoming, response));
  }

  static async start(target: string): Promise<CountingProxy> {
    const proxy = new CountingProxy(new URL(target));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the API has finished all requests, also those of a client that was killed. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Ends the connections of all clients, as a restarted load balancer does. */
  cutConnections(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = incoming;
    const exchange: Exchange = { method, path, status: undefined };
    this.exchanges.push(exchange);
    this.onStep();
    const { hostname, port, host } = this.target;
    const outgoing = request({ host: hostname, port, method, path, headers: { ...headers, host } });
    // Aborts the request when the client is killed before the end of its body.
    incoming.on('close', () => !incoming.complete && outgoing.destroy()).pipe(outgoing);
    incoming.on('end', () => this.onStep());
    response.on('error', () => undefined);
    // A followed log has no end, unlike other responses.
    if (headers.accept === 'text/event-stream') response.on('close', () => outgoing.destroy());
    const finished = new Promise<void>((resolve) => {
      outgoing.on('close', resolve).on('error', () => response.destroy());
    });
    this.#pending.add(finished);
    void finished.then(() => this.#pending.delete(finished));
    outgoing.on('response', (answer) => {
      exchange.status = answer.statusCode;
      this.onStep();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => response.write(chunk)).on('end', () => response.end());
    });
  }
}
