import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { url } from './pages';

export interface ReleaseServer {
  readonly url: string;
  /** From now on the client is a newer one: its page says so of itself, in `data-release`. */
  publishRelease(): void;
  close(): Promise<void>;
}

/** The product at an address of its own, where a new version of the client can come out. */
export async function startReleaseServer(): Promise<ReleaseServer> {
  let isReleased = false;
  const server = createServer((asked, answer) => {
    const path = (asked.url ?? '').split('?', 1)[0];
    if (isReleased && path === '/index.html') void send(answer, 'text/html', newPage());
    else if (isReleased && path === '/ngsw.json') void send(answer, 'application/json', newManifest());
    else pass(asked, answer);
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

async function send(answer: ServerResponse, type: string, body: Promise<string>): Promise<void> {
  answer.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(await body);
}

function pass(asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = asked;
  const passed = request(url + asked.url, { method, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    pipeline(answered, answer, () => undefined);
  });
  // Whoever asked has gone, or nobody answers: either way there is nobody left to tell.
  pipeline(asked, passed, () => undefined);
  passed.on('error', () => answer.destroy());
}
