import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface KeepAliveRequest {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
}

/** Visits a site through one connection, which stays open between requests. */
export class KeepAliveVisitor {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly port: number,
    private readonly hostname: string,
  ) {}

  /** @throws {Error} when the response is absent or cut off. */
  async ask({ body, ...what }: KeepAliveRequest): Promise<{ readonly status: number; readonly body: string }> {
    const sent = this.send(what);
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    sent.end(body);
    const { statusCode: status = 0 } = await response;
    return { status, body: await text(await response) };
  }

  /** Starts a request whose body the caller writes. */
  send({ path, method = 'GET' }: Omit<KeepAliveRequest, 'body'>): ClientRequest {
    const headers = { host: `${this.hostname}:${this.port}` };
    return request({ host: '127.0.0.1', port: this.port, agent: this.#agent, path, method, headers });
  }

  close(): void {
    this.#agent.destroy();
  }
}
