import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of S3 that a bucket policy can deny. */
export interface StorageCall {
  readonly method: string;
  readonly isBucket: boolean;
  readonly query: URLSearchParams;
}

/** Passes calls on to real storage, and denies some as a bucket policy does. */
export class DenyingStorage {
  /** The calls that are denied. */
  denies: (call: StorageCall) => boolean = () => false;
  /** The calls that are confirmed and not executed. */
  confirms: (call: StorageCall) => boolean = () => false;
  /** The calls that are executed and whose answer is never sent. */
  loses: (call: StorageCall) => boolean = () => false;
  readonly #server: Server;

  private constructor(endpoint: string, bucket: string) {
    this.#server = createServer((received, response) => {
      const url = new URL(received.url ?? '/', endpoint);
      const isBucket = url.pathname.replaceAll('/', '') === bucket;
      const call = { method: received.method ?? '', isBucket, query: url.searchParams };
      if (this.denies(call)) {
        received.resume();
        return deny(response);
      }
      if (this.confirms(call)) {
        received.resume();
        return void response.writeHead(204).end();
      }
      const { method, headers } = received;
      const sent = request(url, { method, headers, agent: false }, (answer) => {
        if (this.loses(call)) return void answer.resume();
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        answer.pipe(response);
      });
      sent.once('error', (error) => response.destroy(error));
      received.pipe(sent);
    });
  }

  static async open(endpoint: string, bucket: string): Promise<DenyingStorage> {
    const storage = new DenyingStorage(endpoint, bucket);
    await new Promise<void>((resolve) => storage.#server.listen(0, '127.0.0.1', resolve));
    return storage;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

function deny(response: ServerResponse): void {
  const body = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
  response.writeHead(403, { 'content-type': 'application/xml' }).end(body);
}
