import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Faults of a dependency, independent of its protocol. */
export const TCP_FAULTS = [
  /** Every response is delayed by two seconds. */
  'latency',
  /** Nothing passes in either direction until the fault ends. */
  'black-hole',
  /** Resets all connections and refuses new ones. */
  'refuse',
  /** Resets the connection instead of a response. */
  'reset-before',
  /** Resets the connection in the middle of a response. */
  'reset-mid-body',
  /** Sends responses byte by byte. */
  'drip',
  /** Closes the sending side of the connection instead of a response. */
  'half-close',
  /** Sends bytes of no protocol instead of a response. */
  'garbage',
] as const;
export type TcpFault = (typeof TCP_FAULTS)[number];

const LATENCY_MS = 2_000;
const DRIP_MS = 100;
const GARBAGE = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x0d, 0x0a, 0x0d, 0x0a, ...Buffer.alloc(400, 0xfe)]);

/** `hold`: responses wait in the proxy, so that their requests are in flight. */
type Mode = TcpFault | 'hold' | undefined;

/** A TCP proxy between the product and one of its dependencies. All connections have the same fault. */
export class TcpFaultProxy {
  readonly #target: URL;
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  #port = 0;
  #mode: Mode;
  #passing = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
  }

  /** @param target the address of the dependency. */
  static async to(target: string): Promise<TcpFaultProxy> {
    const proxy = new TcpFaultProxy(target);
    await proxy.#listen();
    return proxy;
  }

  /** The address of the dependency through the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.href;
  }

  /** Number of connections with a response that waits in the proxy. */
  get held(): number {
    return [...this.#connections].filter(({ isHolding }) => isHolding).length;
  }

  /** Lets responses wait from now on. @param passing how many bytes each connection passes before. */
  hold(passing = 0): void {
    this.#mode = 'hold';
    this.#passing = passing;
    for (const connection of this.#connections) connection.hold(passing);
  }

  /** Applies the fault to all connections, to new ones, and to responses that wait. */
  async begin(fault: TcpFault): Promise<void> {
    this.#mode = fault;
    if (fault === 'refuse') return this.#close();
    for (const connection of this.#connections) connection.begin(fault);
  }

  /** Ends the fault: delayed bytes arrive. A connection that was damaged does not recover. */
  async end(): Promise<void> {
    this.#mode = undefined;
    if (!this.#server.listening) await this.#listen();
    for (const connection of this.#connections) connection.end();
  }

  /** New connections go to another port of the same host, as when an address moves to another machine. */
  moveTo(port: number): void {
    this.#target.port = String(port);
  }

  dropConnections(): void {
    for (const connection of this.#connections) connection.reset();
  }

  async stop(): Promise<void> {
    if (this.#server.listening) await this.#close();
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.dropConnections();
    await closed;
  }

  #accept(client: Socket): void {
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    const connection = new ProxiedConnection(client, upstream, this.#mode);
    if (this.#mode === 'hold') connection.hold(this.#passing);
    this.#connections.add(connection);
    client.once('close', () => this.#connections.delete(connection));
  }
}

/** A connection of the product and its counterpart to the dependency. */
class ProxiedConnection {
  /** Requests and responses that wait. */
  readonly #requests: Buffer[] = [];
  #responses: Buffer[] = [];
  #isDamaged = false;
  /** Bytes that pass before responses wait. */
  #passing = 0;
  /** Of a fault that lets responses pass late. */
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly client: Socket,
    private readonly upstream: Socket,
    private mode: Mode,
  ) {
    client.on('data', (chunk: Buffer) => this.#request(chunk));
    client.on('end', () => upstream.end());
    client.on('error', () => undefined);
    client.on('close', () => this.#release());
    client.on('drain', () => upstream.resume());
    upstream.on('data', (chunk: Buffer) => this.#respond(chunk));
    upstream.on('end', () => this.#finish());
    upstream.on('error', () => client.destroy());
    upstream.on('drain', () => client.resume());
  }

  get isHolding(): boolean {
    return this.mode === 'hold' && this.#responses.length > 0;
  }

  hold(passing: number): void {
    this.#clearTimers();
    this.mode = 'hold';
    this.#passing = passing;
  }

  begin(fault: TcpFault): void {
    this.#clearTimers();
    this.mode = fault;
    for (const chunk of this.#responses.splice(0)) this.#respond(chunk);
  }

  end(): void {
    this.mode = undefined;
    this.#clearTimers();
    for (const chunk of this.#requests.splice(0)) this.#request(chunk);
    for (const chunk of this.#responses.splice(0)) this.#respond(chunk);
    if (this.upstream.readableEnded) this.#finish();
  }

  reset(): void {
    this.#isDamaged = true;
    if (!this.client.destroyed) this.client.resetAndDestroy();
    this.upstream.destroy();
  }

  #request(chunk: Buffer): void {
    if (this.mode === 'black-hole') this.#requests.push(chunk);
    else if (!this.#isDamaged && !this.upstream.write(chunk)) this.client.pause();
  }

  #respond(chunk: Buffer): void {
    if (this.#isDamaged) return;
    switch (this.mode) {
      case undefined:
        return this.#pass(chunk);
      case 'latency':
        this.#responses.push(chunk);
        return this.#after(LATENCY_MS, () => this.#passFirst());
      case 'hold':
        if (this.#passing <= 0) return void this.#responses.push(chunk);
        this.#passing -= chunk.length;
        return this.#pass(chunk);
      case 'black-hole':
        return void this.#responses.push(chunk);
      case 'drip':
        this.#responses.push(chunk);
        return this.#drip();
      case 'reset-mid-body':
        this.#isDamaged = true;
        return void this.client.write(chunk.subarray(0, chunk.length >> 1), () => this.reset());
      case 'half-close':
        this.#isDamaged = true;
        return void this.client.end();
      case 'garbage':
        this.#isDamaged = true;
        return void this.client.write(GARBAGE);
      default:
        return this.reset();
    }
  }

  #pass(chunk: Buffer): void {
    if (this.client.writable && !this.client.write(chunk)) this.upstream.pause();
  }

  #passFirst(): void {
    const first = this.#responses.shift();
    if (first) this.#pass(first);
  }

  #drip(): void {
    if (this.#timers.size > 0) return;
    const first = this.#responses.shift();
    if (!first) return;
    this.#pass(first.subarray(0, 1));
    if (first.length > 1) this.#responses.unshift(first.subarray(1));
    this.#after(DRIP_MS, () => this.#drip());
  }

  #after(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** The dependency has ended the connection. The product learns it after the fault, with the bytes that wait. */
  #finish(): void {
    if (this.mode === undefined && !this.#isDamaged) this.client.end();
  }

  #release(): void {
    this.#clearTimers();
    this.#responses = [];
    this.upstream.destroy();
  }
}
