import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface SandboxRequest {
  readonly method?: string;
  readonly body?: string;
}

/** Sends a request to the server of an app. */
export async function ask(socketPath: string, path: string, { method, body }: SandboxRequest = {}) {
  const response = await open(socketPath, path, { method, body });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Sends a request and resolves with the response as soon as its headers are there. */
export async function open(
  socketPath: string,
  path: string,
  { method = 'GET', body }: SandboxRequest = {},
): Promise<IncomingMessage> {
  const outgoing = request({ socketPath, path, method, agent: false });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/** Upgrades a connection. */
export async function upgrade(socketPath: string): Promise<Duplex> {
  const outgoing = request({ socketPath, headers: { connection: 'Upgrade', upgrade: 'websocket' }, agent: false });
  outgoing.end();
  const [, socket] = (await once(outgoing, 'upgrade')) as [IncomingMessage, Duplex];
  return socket;
}
