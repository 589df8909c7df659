// A process that sends requests over keep-alive connections without an HTTP library: a request costs it about a tenth of
// what it costs the API, so that it can offer several times the capacity from one core.
import { connect } from 'node:net';

const TICK_MS = 2;
/** Opened before the load, for each server, as a load balancer does: Node accepts one connection in a turn of its event loop. */
const CONNECTIONS = 2_000;
const ANSWER_LIMIT_MS = 10_000;
const HEAD_END = Buffer.from('\r\n\r\n');

/** One request at a time on one connection. Reconnects when the server closes it. */
class Connection {
  #socket;
  #received = Buffer.alloc(0);
  #missing = -1;
  #status = 0;
  #settle;

  constructor(port) {
    this.port = port;
  }

  /** @returns the status; 0 after a failure of the connection, 1 after a refusal. */
  send(message) {
    return new Promise((settle) => {
      this.#settle = settle;
      this.#socket ??= this.#connect();
      this.#socket.write(message);
    });
  }

  #connect() {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    socket.setTimeout(ANSWER_LIMIT_MS, () => this.#settle && socket.destroy());
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
      this.#end(0);
    });
    return socket;
  }

  #read(chunk) {
    if (this.#missing >= 0) {
      this.#missing -= chunk.length;
    } else {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      const end = this.#received.indexOf(HEAD_END);
      if (end < 0) return;
      const head = this.#received.latin1Slice(0, end);
      this.#status = Number(head.slice(9, 12));
      // A 503 because of a dependency has another value.
      if (this.#status === 503 && /\r\nretry-after: 1\r\n/i.test(head)) this.#status = 1;
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
      if (length === undefined) throw new Error(`a response without a length: ${head}`);
      this.#missing = Number(length) - (this.#received.length - end - HEAD_END.length);
      this.#received = Buffer.alloc(0);
      if (/\r\nconnection: close/i.test(head)) this.#socket = undefined;
    }
    if (this.#missing > 0) return;
    this.#missing = -1;
    this.#end(this.#status);
  }

  #end(status) {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(status);
  }
}

/** Sends requests and records each one: kind, time of the start, duration and status. */
class Generator {
  #idle = new Map();
  #records = [];

  constructor(kinds) {
    this.kinds = kinds;
  }

  /** Sends a request over each connection, because a server closes those that send none. */
  async open() {
    for (const { port, messages } of this.kinds) {
      if (this.#idle.has(port)) continue;
      const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port));
      for (const connection of connections) await connection.send(messages[0]);
      this.#idle.set(port, connections);
    }
  }

  /**
   * New requests do not wait for the answers to earlier ones.
   * @param rates requests a second of each kind.
   * @returns the records, and how late the generator sent each batch of requests, in milliseconds. It reads answers in the
   * same event loop: the durations include such delays.
   */
  async offer({ rates, seconds }) {
    const startedAt = performance.now();
    const sent = rates.map(() => 0);
    const pending = new Set();
    const delays = [];
    while (performance.now() - startedAt < seconds * 1_000) {
      const elapsed = performance.now() - startedAt;
      for (const [kind, rate] of rates.entries()) {
        for (; sent[kind] < Math.floor((elapsed * rate) / 1_000); sent[kind] += 1) {
          const exchange = this.#exchange(kind, sent[kind], startedAt).finally(() => pending.delete(exchange));
          pending.add(exchange);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      delays.push(performance.now() - startedAt - elapsed - TICK_MS);
    }
    await Promise.all(pending);
    return { records: this.#taken(), delays };
  }

  /** Each of `width` connections sends its next request after the answer. */
  async saturate({ width, seconds }) {
    const startedAt = performance.now();
    let sent = 0;
    const work = async () => {
      while (performance.now() - startedAt < seconds * 1_000) {
        const number = sent++;
        await this.#exchange(number % this.kinds.length, Math.floor(number / this.kinds.length), startedAt);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    return { records: this.#taken() };
  }

  #taken() {
    return this.#records.splice(0);
  }

  async #exchange(kind, number, startedAt) {
    const { port, messages } = this.kinds[kind];
    const began = performance.now();
    const message = messages[number % messages.length];
    const idle = this.#idle.get(port);
    const connection = idle.pop();
    // -1: not sent, because all connections wait for answers.
    const status = connection ? await connection.send(message) : -1;
    if (connection) idle.push(connection);
    this.#records.push([kind, began - startedAt, performance.now() - began, status]);
  }
}

let generator;
process.on('message', async ({ kinds, saturate, offer }) => {
  if (kinds) {
    generator = new Generator(kinds);
    await generator.open();
    process.send('ready');
  } else process.send(saturate ? await generator.saturate(saturate) : await generator.offer(offer));
});
process.on('disconnect', () => process.exit(0));
