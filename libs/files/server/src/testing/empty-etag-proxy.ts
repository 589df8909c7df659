import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An S3 proxy that returns an empty `<ETag>` for completed multipart uploads, like Ceph 16. */
export class EmptyEtagProxy {
  /** Runs after a completion is stored and before its response is sent. */
  afterCompletion: () => Promise<unknown> = () => Promise.resolve();
  readonly #server: Server;

  /** @param origin the S3 endpoint behind the proxy. */
  constructor(origin: URL) {
    this.#server = createServer((incoming, response) => {
      const { method = '', url = '', headers } = incoming;
      // The signature covers the Host header, so it is forwarded unchanged.
      const forwarded = request({ host: origin.hostname, port: origin.port, method, path: url, headers });
      forwarded.once('response', (upstream) => {
        const isCompletion = method === 'POST' && url.includes('uploadId=');
        if (!isCompletion) {
          response.writeHead(upstream.statusCode ?? 502, upstream.headers);
          upstream.pipe(response);
          return;
        }
        void text(upstream).then(async (xml) => {
          await this.afterCompletion();
          response.writeHead(upstream.statusCode ?? 502, { 'content-type': 'application/xml' });
          response.end(xml.replace(/<ETag>.*<\/ETag>/, '<ETag></ETag>'));
        });
      });
      incoming.pipe(forwarded);
    });
  }

  /** @returns the URL of the proxy. */
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
