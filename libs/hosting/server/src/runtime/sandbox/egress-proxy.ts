import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AddressPolicy } from '@homeport/platform/server/network';
import { type Destination, destinationOfTunnel, destinationOfUrl } from './egress-destination';

const CONNECTIONS_PER_INSTANCE = 100;
/** New connections of an instance. Each is work for the runtime, also when it is refused. */
const CONNECTION_RATE = { connections: 100, windowMs: 1_000 } as const;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 5 * 60_000;
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'upgrade'];

/** Finds the addresses of a hostname; empty when it has none. */
export type ResolveHostname = (hostname: string) => Promise<readonly string[]>;

export interface EgressProxyOptions {
  readonly policy: AddressPolicy;
  readonly resolve?: ResolveHostname;
  /** Called with a sentence for each refused connection. */
  readonly onRefused: (line: string) => void;
  readonly rate?: { readonly connections: number; readonly windowMs: number };
}

/** A connection that is not made, with the status of the answer. */
class EgressRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const UNSUPPORTED = new EgressRefused(400, 'The proxy accepts CONNECT requests and http: URLs.');

/**
 * The way of one instance to the network: an HTTP proxy that resolves a name, checks the address, and connects to the
 * address that it checked. A name that resolves to another address the second time is therefore harmless.
 */
export class EgressProxy {
  private readonly connections = new Set<Duplex>();
  /** Connections in the current window. */
  private accepted = 0;
  private window: NodeJS.Timeout | undefined;

  private constructor(
    private readonly server: Server,
    private readonly path: string,
    private readonly options: EgressProxyOptions,
  ) {
    server.maxConnections = CONNECTIONS_PER_INSTANCE;
    server.on('connection', (socket: Socket) => {
      this.keep(socket);
      this.count();
    });
    server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.tunnel(incoming, socket, head);
    });
    server.on('request', (incoming, response) => void this.forward(incoming, response));
  }

  /** @param path of the unix socket that the instance connects to. */
  static async listen(path: string, options: EgressProxyOptions): Promise<EgressProxy> {
    const server = createServer();
    const proxy = new EgressProxy(server, path, options);
    proxy.open();
    await once(server, 'listening');
    // The folder may be removed while the proxy does not listen.
    server.on('error', () => undefined);
    return proxy;
  }

  /** Closes all connections of the instance. */
  async close(): Promise<void> {
    clearTimeout(this.window);
    const closed = this.server.listening ? once(this.server, 'close') : undefined;
    this.server.close();
    for (const connection of this.connections) connection.destroy();
    await closed;
  }

  private open(): void {
    this.server.listen({ path: this.path, writableAll: true });
  }

  /** Stops listening until the next window when there are too many: then a connection costs the runtime nothing. */
  private count(): void {
    const { connections, windowMs } = this.options.rate ?? CONNECTION_RATE;
    this.window ??= setTimeout(() => {
      this.window = undefined;
      this.accepted = 0;
      if (!this.server.listening) this.open();
    }, windowMs).unref();
    this.accepted += 1;
    if (this.accepted < connections || !this.server.listening) return;
    this.server.close();
    this.options.onRefused(`More than ${connections} connections in ${windowMs} ms: further ones wait.`);
  }

  private async tunnel({ url = '' }: IncomingMessage, inside: Duplex, head: Buffer): Promise<void> {
    try {
      const destination = destinationOfTunnel(url);
      if (destination === undefined) throw UNSUPPORTED;
      const outside = await this.dial(destination);
      inside.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) outside.write(head);
      await Promise.all([pipeline(inside, outside), pipeline(outside, inside)]);
    } catch (error) {
      if (error instanceof EgressRefused && inside.writable) {
        const { status, message } = error;
        inside.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${message}\n`);
      } else inside.destroy();
    }
  }

  private async forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const destination = destinationOfUrl(incoming.url ?? '');
      if (destination === undefined) throw UNSUPPORTED;
      const socket = await this.dial(destination);
      const outgoing = request({ ...targetOf(incoming, destination.url), createConnection: () => socket });
      const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
      const [[answer]] = await Promise.all([answered, pipeline(incoming, outgoing)]);
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      await pipeline(answer, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else {
        const { status = 502, message } = error as Partial<EgressRefused>;
        response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${message}\n`);
      }
    }
  }

  /** Connects to the first allowed address that answers. @throws {EgressRefused} */
  private async dial({ hostname, port }: Destination): Promise<Socket> {
    const addresses = await this.addressesOf(hostname);
    const refusals = addresses.map((address) => this.options.policy.refusalOf(address));
    const allowed = addresses.filter((_, at) => refusals[at] === undefined);
    if (allowed.length === 0) {
      const reason = addresses.length === 0 ? 'the name has no address' : `it is ${refusals[0]}`;
      const line = `The connection to ${hostname}:${port} was refused: ${reason}.`;
      this.options.onRefused(line);
      throw new EgressRefused(403, line);
    }
    for (const address of allowed) {
      const socket = await connected(address, port);
      if (socket !== undefined) return this.keep(socket);
    }
    throw new EgressRefused(502, `${hostname}:${port} does not answer.`);
  }

  private async addressesOf(hostname: string): Promise<readonly string[]> {
    return isIP(hostname) === 0 ? (this.options.resolve ?? resolveHostname)(hostname) : [hostname];
  }

  private keep<Kind extends Socket>(socket: Kind): Kind {
    this.connections.add(socket);
    socket.once('close', () => this.connections.delete(socket));
    socket.on('error', () => undefined);
    socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
    return socket;
  }
}

function targetOf({ method = 'GET', headers }: IncomingMessage, { host, pathname, search }: URL): RequestOptions {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  return { method, path: pathname + search, headers: { ...Object.fromEntries(kept), host, connection: 'close' } };
}

/** @returns undefined when the address does not answer in time. */
async function connected(host: string, port: number): Promise<Socket | undefined> {
  const socket = connect({ host, port, allowHalfOpen: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return socket;
  } catch {
    socket.destroy();
    return undefined;
  }
}

/** Asks DNS itself: the hosts file and the search domains of this machine are not for apps. */
async function resolveHostname(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  // Absent and failed lookups end alike for the app: there is no address to connect to.
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
