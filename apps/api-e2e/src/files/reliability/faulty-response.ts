import type { Socket } from 'node:net';
import type { Fault, StorageRequest } from './faults';

const LATENCY_MS = 500;
const DRIP_MS = 100;
const PAGE = '<!doctype html><html><title>Sign in to the network</title></html>';
const FOREIGN_PAGE = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`;
const GARBAGE = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x0d, 0x0a, 0x0d, 0x0a, ...Buffer.alloc(400, 0xfe)]);

/** The way back: hands answers on, or does to them what the fault of their request demands. */
export class FaultyResponse {
  #request: StorageRequest | undefined;
  #fault: Fault | undefined;
  /** Bytes that still pass before the fault strikes; undefined until the head of the answer tells. */
  #before: number | undefined;
  #kept: Buffer[] = [];
  #dripping: NodeJS.Timeout | undefined;
  #isOver = false;
  #isEnding = false;

  constructor(
    private readonly client: Socket,
    private readonly storage: Socket,
  ) {
    storage.on('data', (chunk: Buffer) => this.#answer(chunk));
    storage.on('end', () => this.#inTurn(() => this.#finish()));
    client.on('drain', () => this.#resume());
    client.on('close', () => clearTimeout(this.#dripping));
  }

  /** Whether the request has been dealt with, and what is left of it goes nowhere. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the answer has begun to come byte by byte and has not ended. */
  get isDripping(): boolean {
    return this.#kept.length > 0;
  }

  begin(request: StorageRequest, fault: Fault | undefined): void {
    this.#request = request;
    this.#fault = fault;
    this.#before = undefined;
    // Whoever showed a page takes further requests.
    this.#isOver = false;
    if (fault === 'garbage') this.#end(() => this.client.write(GARBAGE));
    if (fault === 'foreign-page') this.#end(() => this.client.write(FOREIGN_PAGE));
    if (fault === 'half-close') this.#end(() => this.client.end());
  }

  heal(): void {
    clearTimeout(this.#dripping);
    this.#fault = undefined;
    this.#pass(Buffer.concat(this.#kept.splice(0)));
    this.#goOn();
  }

  #answer(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#fault === undefined) return this.#pass(chunk);
    if (this.#fault === 'latency') return this.#inTurn(() => this.#pass(chunk));
    if (this.#fault === 'reset-before') return this.#end(() => this.client.resetAndDestroy());
    // The go-ahead for a body is not the answer.
    if (chunk.subarray(0, 12).toString('latin1') === 'HTTP/1.1 100') return this.#pass(chunk);
    this.#before ??= this.#bytesBefore(chunk);
    const passing = chunk.subarray(0, this.#before);
    this.#before -= passing.length;
    this.#pass(passing);
    if (passing.length < chunk.length) this.#strike(chunk.subarray(passing.length));
  }

  #strike(rest: Buffer): void {
    if (this.#fault === 'reset-mid-body') return this.#end(() => this.client.resetAndDestroy());
    if (this.#fault === 'end-mid-body') return this.#end(() => this.client.end());
    this.#kept.push(rest);
    this.storage.pause();
    if (this.#fault !== 'stall-mid-body') this.#drip();
  }

  #drip(): void {
    const [first] = this.#kept;
    if (!first) return this.#goOn();
    this.client.write(first.subarray(0, 1));
    if (first.length > 1) this.#kept[0] = first.subarray(1);
    else this.#kept.shift();
    this.#dripping = setTimeout(() => this.#drip(), DRIP_MS);
  }

  #bytesBefore(first: Buffer): number {
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
    if (this.#kept.length === 0) this.storage.resume();
  }

  #goOn(): void {
    if (this.#isEnding) this.client.end();
    else this.#resume();
  }

  /** The storage closes; what it said before comes first, and of what is swallowed nobody hears. */
  #finish(): void {
    if (this.#kept.length > 0) this.#isEnding = true;
    else if (this.#fault !== 'black-hole' && this.#fault !== 'deaf') this.client.end();
  }

  #inTurn(step: () => void): void {
    if (this.#fault === 'latency') setTimeout(step, LATENCY_MS);
    else step();
  }

  #end(how: () => void): void {
    this.#isOver = true;
    how();
  }
}
