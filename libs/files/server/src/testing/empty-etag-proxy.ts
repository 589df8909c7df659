import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An S3 endpoint whose answers to completed multipart uploads have an empty `<ETag>`, as those of Ceph 16. */
export class EmptyEtagProxy {
  /** Runs after a completion has been stored, and before it is answered. */
  afterCompletion: () => Promise<unknown> = () => Promise.resolve();
  readonly #server: Server;

  /** @param origin the endpoint that does the work. */
  constructor(origin: URL) {
    this.#server = createServer((incoming, answer) => {
      const { method = '', url = '', headers } = incoming;
      // The signature covers the Host header, which is why it is passed on unchanged.
      const forwarded = request({ host: origin.hostname, port: origin.port, method, path: url, headers });
      forwarded.once('response', (found) => {
        const isCompletion = method === 'POST' && url.includes('uploadId=');
        if (!isCompletion) {
          answer.writeHead(found.statusCode ?? 502, found.headers);
          found.pipe(answer);
          return;
        }
        void text(found).then(async (xml) => {
          await this.afterCompletion();
          answer.writeHead(found.statusCode ?? 502, { 'content-type': 'application/xml' });
          answer.end(xml.replace(/<ETag>.*<\/ETag>/, '<ETag></ETag>'));
        });
      });
      incoming.pipe(forwarded);
    });
  }

  /** @returns its endpoint. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
