import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { url } from './pages';

export interface ReleaseServer {
  readonly url: string;
  /** Switches to a newer client, whose page has the attribute `data-release`. */
  publishRelease(): void;
  close(): Promise<void>;
}

/** Proxies the product on a separate origin, where a new version of the client can be published. */
export async function startReleaseServer(): Promise<ReleaseServer> {
  let isReleased = false;
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?', 1)[0];
    if (isReleased && path === '/index.html') void send(outgoing, 'text/html', newPage());
    else if (isReleased && path === '/ngsw.json') void send(outgoing, 'application/json', newManifest());
    else pass(incoming, outgoing);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    publishRelease: () => (isReleased = true),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function newPage(): Promise<string> {
  return (await (await fetch(`${url}/index.html`)).text()).replace('<html', '<html data-release="next"');
}

async function newManifest(): Promise<string> {
  const manifest = (await (await fetch(`${url}/ngsw.json`)).json()) as { hashTable: Record<string, string> };
  manifest.hashTable['/index.html'] = createHash('sha1')
    .update(await newPage())
    .digest('hex');
  return JSON.stringify(manifest);
}

async function send(outgoing: ServerResponse, type: string, body: Promise<string>): Promise<void> {
  outgoing.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(await body);
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const passed = request(url + incoming.url, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    pipeline(response, outgoing, () => undefined);
  });
  // The client has disconnected or the product is down: no response is possible.
  pipeline(incoming, passed, () => undefined);
  passed.on('error', () => outgoing.destroy());
}
