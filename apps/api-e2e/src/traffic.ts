import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The longest pause of a client, as people pause: about 500 requests a second for 200 clients, which leaves two cores
 * time for the two instances of everything. Without a pause the clients measure how long requests wait for a processor.
 */
export const PAUSE_MS = 800;

interface TrafficOptions {
  /** The longest pause of a client between an answer and its next request. Default: 0. */
  readonly maxPauseMs?: number;
}

export interface TrafficCall {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expected: readonly number[];
}

/** The beginning of an error page in which its reason is, in characters. */
const MAX_EXPLANATION = 2_000;

/** Clients that each use one connection and send one request after the other. */
export class Traffic {
  /** Number of expected responses. */
  answered = 0;
  /** Unexpected outcomes and their counts. */
  readonly failed = new Map<string, number>();
  #isStopped = false;
  readonly #clients: Promise<void>[];

  /** @param next creates call number `count` of client number `client`. */
  constructor(
    port: number,
    clients: number,
    next: (client: number, count: number) => TrafficCall,
    private readonly options: TrafficOptions = {},
  ) {
    this.#clients = Array.from({ length: clients }, (_, client) => this.#run(port, (count) => next(client, count)));
  }

  /** Number of all outcomes. */
  get total(): number {
    return [...this.failed.values()].reduce((sum, count) => sum + count, this.answered);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #run(port: number, next: (count: number) => TrafficCall): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; !this.#isStopped; count += 1) {
      // The clients of a group start at different times, and never send at the same time for long.
      if (this.options.maxPauseMs) await pause(Math.random() * this.options.maxPauseMs);
      const call = next(count);
      const outcome = await outcomeOf(port, agent, call);
      if (call.expected.includes(Number.parseInt(outcome, 10))) this.answered += 1;
      else {
        const what = `${call.method}: ${outcome}`;
        this.failed.set(what, (this.failed.get(what) ?? 0) + 1);
      }
    }
    agent.destroy();
  }
}

/** The status, that of an error with its explanation, or the error code when the response is incomplete. */
function outcomeOf(port: number, agent: Agent, { method, path, headers, body }: TrafficCall): Promise<string> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length } };
    const sent = request(options, (response) => {
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      const { statusCode: status = 0 } = response;
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (status >= 400 && text.length < MAX_EXPLANATION) text += chunk.toString('latin1');
      });
      response.on('end', () => resolve(status < 400 ? `${status}` : `${status} ${explanationOf(text)}`));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(body);
  });
}

/** The code of a problem, or the text of a page. */
function explanationOf(body: string): string {
  const code = /"code":"([^"]+)"/.exec(body)?.[1];
  return (
    code ??
    body
      .replace(/<style>.*?<\/style>|<[^>]*>|\s+/gs, ' ')
      .replace(/ +/g, ' ')
      .trim()
      .slice(0, 200)
  );
}
