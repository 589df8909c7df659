import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { FaultyResponse } from './faulty-response';
import { type Fault, type StorageRequest, parseRequest, parseFault } from './faults';

/**
 * Stands between the API and its storage. Which requests go wrong, and how, is written in the names of the files they
 * are about (`faults.ts`): faults of all kinds can then happen side by side, each to its own request.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #lines = new Set<ProxyConnection>();
  readonly #met = new Map<string, { times: number; isWarm: boolean }>();
  #port = 0;
  #isHealthy = true;
  /** No new connection is read before so many more have come. */
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

  /** How many the API keeps to its storage. */
  get connections(): number {
    return this.#lines.size;
  }

  /** How many answers come byte by byte just now. */
  get dripping(): number {
    return [...this.#lines].filter(({ isDripping }) => isDripping).length;
  }

  /** From now on what the names say happens. */
  enableFaults(): void {
    this.#isHealthy = false;
    this.#met.clear();
  }

  /** No new fault begins, and what drips or stalls goes on. */
  disableFaults(): void {
    this.#isHealthy = true;
    for (const line of this.#lines) line.heal();
  }

  /** The storage is gone: nothing listens any more. */
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
    for (const line of this.#lines) line.drop();
    this.#lines.clear();
  }

  /** The same but for answers that drip: whoever reads one goes on reading. */
  dropIdleConnections(): void {
    for (const line of this.#lines) {
      if (line.isDripping) continue;
      line.drop();
      this.#lines.delete(line);
    }
  }

  /** Starts without idle connections and answers nobody before `count` new ones are there, however fast storage is. */
  holdUntilConnected(count: number): void {
    this.dropIdleConnections();
    this.#awaited = count;
  }

  /** Counts from nothing again for this name. */
  resetFaultCount(name: string): void {
    this.#met.delete(name);
  }

  /** How often requests about this name went wrong, and whether the first of them came over a connection in use. */
  faultCountOf(name: string): { readonly times: number; readonly isWarm: boolean } {
    return this.#met.get(name) ?? { times: 0, isWarm: false };
  }

  stop(): Promise<void> {
    return this.stopListening();
  }

  #accept(client: Socket): void {
    const storage = connect(Number(this.#target.port), this.#target.hostname);
    const line = new ProxyConnection(client, storage, (request, isWarm) => this.#faultFor(request, isWarm));
    this.#lines.add(line);
    client.once('close', () => this.#lines.delete(line));
    if (this.#awaited === 0) return;
    this.#awaited -= 1;
    if (this.#awaited > 0) client.pause();
    else for (const each of this.#lines) each.resume();
  }

  #faultFor(request: StorageRequest, isWarm: boolean): Fault | undefined {
    const found = this.#isHealthy ? undefined : parseFault(request);
    if (!found) return undefined;
    const before = this.#met.get(found.name);
    this.#met.set(found.name, { times: (before?.times ?? 0) + 1, isWarm: before?.isWarm ?? isWarm });
    return found.fault;
  }
}

/** One connection of the API and the one to the storage that belongs to it. */
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
