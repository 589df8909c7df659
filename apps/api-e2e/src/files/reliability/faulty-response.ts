import type { Socket } from 'node:net';
import type { Fault, StorageRequest } from './faults';

const LATENCY_MS = 500;
const DRIP_MS = 100;
const PAGE = '<!doctype html><html><title>Sign in to the network</title></html>';
const FOREIGN_PAGE = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`;
const GARBAGE = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x0d, 0x0a, 0x0d, 0x0a, ...Buffer.alloc(400, 0xfe)]);

/** Forwards the responses of storage, and applies the fault of the request to them. */
export class FaultyResponse {
  #request: StorageRequest | undefined;
  #fault: Fault | undefined;
  /** Bytes to forward before the fault starts; undefined until the head of the response is known. */
  #bytesLeft: number | undefined;
  #held: Buffer[] = [];
  #dripping: NodeJS.Timeout | undefined;
  #isOver = false;
  #isEnding = false;

  constructor(
    private readonly client: Socket,
    private readonly storage: Socket,
  ) {
    storage.on('data', (chunk: Buffer) => this.#answer(chunk));
    storage.on('end', () => this.#delayed(() => this.#finish()));
    client.on('drain', () => this.#resume());
    client.on('close', () => clearTimeout(this.#dripping));
  }

  /** Whether the response has ended, so that remaining bytes of the request are discarded. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the response is being sent byte by byte. */
  get isDripping(): boolean {
    return this.#held.length > 0;
  }

  begin(request: StorageRequest, fault: Fault | undefined): void {
    this.#request = request;
    this.#fault = fault;
    this.#bytesLeft = undefined;
    // After a foreign page, the connection accepts further requests.
    this.#isOver = false;
    if (fault === 'garbage') this.#end(() => this.client.write(GARBAGE));
    if (fault === 'foreign-page') this.#end(() => this.client.write(FOREIGN_PAGE));
    if (fault === 'half-close') this.#end(() => this.client.end());
  }

  heal(): void {
    clearTimeout(this.#dripping);
    this.#fault = undefined;
    this.#pass(Buffer.concat(this.#held.splice(0)));
    this.#proceed();
  }

  #answer(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#fault === undefined) return this.#pass(chunk);
    if (this.#fault === 'latency') return this.#delayed(() => this.#pass(chunk));
    if (this.#fault === 'reset-before') return this.#end(() => this.client.resetAndDestroy());
    // An interim response (100 Continue) is not the response.
    if (chunk.subarray(0, 12).toString('latin1') === 'HTTP/1.1 100') return this.#pass(chunk);
    this.#bytesLeft ??= this.#bytesBeforeFault(chunk);
    const passing = chunk.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= passing.length;
    this.#pass(passing);
    if (passing.length < chunk.length) this.#applyFault(chunk.subarray(passing.length));
  }

  #applyFault(rest: Buffer): void {
    if (this.#fault === 'reset-mid-body') return this.#end(() => this.client.resetAndDestroy());
    if (this.#fault === 'end-mid-body') return this.#end(() => this.client.end());
    this.#held.push(rest);
    this.storage.pause();
    if (this.#fault !== 'stall-mid-body') this.#drip();
  }

  #drip(): void {
    const [first] = this.#held;
    if (!first) return this.#proceed();
    this.client.write(first.subarray(0, 1));
    if (first.length > 1) this.#held[0] = first.subarray(1);
    else this.#held.shift();
    this.#dripping = setTimeout(() => this.#drip(), DRIP_MS);
  }

  #bytesBeforeFault(first: Buffer): number {
    if (this.#fault === 'drip') return 0;
    const head = first.indexOf('\r\n\r\n') + 4;
    const [, declared] = /\r\ncontent-length: (\d+)/i.exec(first.subarray(0, head).toString('latin1')) ?? [];
    const body = this.#request?.method === 'HEAD' ? 0 : Number(declared ?? first.length - head);
    if (this.#fault === 'drip-body') return head;
    return body === 0 ? head >> 1 : head + (body >> 1);
  }

  #pass(chunk: Buffer): void {
    if (this.client.writable && chunk.length > 0 && !this.client.write(chunk)) this.storage.pause();
  }

  #resume(): void {
    if (this.#held.length === 0) this.storage.resume();
  }

  #proceed(): void {
    if (this.#isEnding) this.client.end();
    else this.#resume();
  }

  /** Ends the response after storage has closed the connection: pending bytes are sent first, swallowed ones never. */
  #finish(): void {
    if (this.#held.length > 0) this.#isEnding = true;
    else if (this.#fault !== 'black-hole' && this.#fault !== 'deaf') this.client.end();
  }

  #delayed(step: () => void): void {
    if (this.#fault === 'latency') setTimeout(step, LATENCY_MS);
    else step();
  }

  #end(how: () => void): void {
    this.#isOver = true;
    how();
  }
}
