import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { FaultyResponse } from './faulty-response';
import { type Fault, type StorageRequest, parseRequest, parseFault } from './faults';

/**
 * A proxy between the API and its storage. The name of a requested file selects the fault (`faults.ts`), so different
 * faults can occur concurrently without affecting other requests.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #connections = new Set<ProxyConnection>();
  readonly #faultCounts = new Map<string, { times: number; isWarm: boolean }>();
  #port = 0;
  #isHealthy = true;
  /** Number of further connections to wait for before any new connection is read. */
  #awaited = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await proxy.listen();
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Number of connections from the API. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Number of responses that are being sent byte by byte. */
  get dripping(): number {
    return [...this.#connections].filter(({ isDripping }) => isDripping).length;
  }

  /** Applies the faults in file names from now on. */
  enableFaults(): void {
    this.#isHealthy = false;
    this.#faultCounts.clear();
  }

  /** Starts no new faults. Stalled responses and those sent byte by byte continue normally. */
  disableFaults(): void {
    this.#isHealthy = true;
    for (const connection of this.#connections) connection.heal();
  }

  /** Closes the listening socket, as if storage were down. */
  async stopListening(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.dropConnections();
    await closed;
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  dropConnections(): void {
    for (const connection of this.#connections) connection.drop();
    this.#connections.clear();
  }

  /** Closes all connections except those with a response that is sent byte by byte. */
  dropIdleConnections(): void {
    for (const connection of this.#connections) {
      if (connection.isDripping) continue;
      connection.drop();
      this.#connections.delete(connection);
    }
  }

  /** Closes idle connections, and reads no request until `count` new connections exist. */
  holdUntilConnected(count: number): void {
    this.dropIdleConnections();
    this.#awaited = count;
  }

  /** Resets the fault count of a name. */
  resetFaultCount(name: string): void {
    this.#faultCounts.delete(name);
  }

  /** The number of faults for a name, and whether the first one occurred on a reused connection. */
  faultCountOf(name: string): { readonly times: number; readonly isWarm: boolean } {
    return this.#faultCounts.get(name) ?? { times: 0, isWarm: false };
  }

  stop(): Promise<void> {
    return this.stopListening();
  }

  #accept(client: Socket): void {
    const storage = connect(Number(this.#target.port), this.#target.hostname);
    const connection = new ProxyConnection(client, storage, (request, isWarm) => this.#faultFor(request, isWarm));
    this.#connections.add(connection);
    client.once('close', () => this.#connections.delete(connection));
    if (this.#awaited === 0) return;
    this.#awaited -= 1;
    if (this.#awaited > 0) client.pause();
    else for (const waiting of this.#connections) waiting.resume();
  }

  #faultFor(request: StorageRequest, isWarm: boolean): Fault | undefined {
    const found = this.#isHealthy ? undefined : parseFault(request);
    if (!found) return undefined;
    const before = this.#faultCounts.get(found.name);
    this.#faultCounts.set(found.name, { times: (before?.times ?? 0) + 1, isWarm: before?.isWarm ?? isWarm });
    return found.fault;
  }
}

/** A connection from the API and its counterpart to storage. */
class ProxyConnection {
  readonly #answers: FaultyResponse;
  #requests = 0;
  #fault: Fault | undefined;

  constructor(
    private readonly client: Socket,
    private readonly storage: Socket,
    private readonly faultFor: (request: StorageRequest, isWarm: boolean) => Fault | undefined,
  ) {
    this.#answers = new FaultyResponse(client, storage);
    client.on('data', (chunk: Buffer) => this.#send(chunk));
    client.on('end', () => storage.end());
    client.on('close', () => storage.destroy());
    client.on('error', () => undefined);
    storage.on('error', () => client.destroy());
    storage.on('drain', () => client.resume());
  }

  get isDripping(): boolean {
    return this.#answers.isDripping;
  }

  heal(): void {
    this.#answers.heal();
  }

  resume(): void {
    this.client.resume();
  }

  drop(): void {
    this.client.destroy();
    this.storage.destroy();
  }

  #send(chunk: Buffer): void {
    const request = parseRequest(chunk);
    if (request) {
      this.#fault = this.faultFor(request, this.#requests > 0);
      this.#requests += 1;
      this.#answers.begin(request, this.#fault);
    }
    if (this.#fault === 'deaf') this.client.pause();
    if (this.#fault === 'deaf' || this.#fault === 'black-hole' || this.#answers.isOver) return;
    if (!this.storage.write(chunk)) this.client.pause();
  }
}
