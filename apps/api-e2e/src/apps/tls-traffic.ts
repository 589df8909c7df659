import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface TlsTarget {
  readonly port: number;
  readonly host: string;
  /** The certificate authority that visitors trust. */
  readonly ca: Buffer;
}

/** @returns the body, or the code of the error. */
type Visit = () => Promise<string>;

interface Visitor {
  visit: Visit;
  leave(): void;
}

/** Visitors that load one page by https again and again, half of them by HTTP/2. Each keeps its connection. */
export class TlsTraffic {
  answered = 0;
  /** Unexpected outcomes and their counts. */
  readonly failed = new Map<string, number>();
  #isStopped = false;
  readonly #visitors: Promise<void>[];

  constructor(
    target: TlsTarget,
    visitors: number,
    private readonly expected: string,
  ) {
    this.#visitors = Array.from({ length: visitors }, (_, at) =>
      this.#run(at % 2 === 0 ? visitorByHttp1(target) : new VisitorByHttp2(target)),
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#visitors);
  }

  async #run(visitor: Visitor): Promise<void> {
    while (!this.#isStopped) {
      const outcome = await visitor.visit();
      if (outcome === this.expected) this.answered += 1;
      else this.failed.set(outcome, (this.failed.get(outcome) ?? 0) + 1);
    }
    visitor.leave();
  }
}

const codeOf = (error: NodeJS.ErrnoException) => error.code ?? error.message;

function visitorByHttp1({ port, host, ca }: TlsTarget): Visitor {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const visit = async () => {
    const sent = get({ host: '127.0.0.1', port, servername: host, ca, agent, headers: { host } });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return text(response);
  };
  return { visit: () => visit().catch(codeOf), leave: () => agent.destroy() };
}

class VisitorByHttp2 implements Visitor {
  #session: ClientHttp2Session | undefined;

  constructor(private readonly target: TlsTarget) {}

  async visit(): Promise<string> {
    try {
      return await this.#visitOnce();
    } catch (error) {
      // Like browsers: the server did not see the request (RFC 9113, section 8.7).
      if (isRefused(error as Error)) return this.visit();
      this.#session?.destroy();
      return codeOf(error as NodeJS.ErrnoException);
    }
  }

  leave(): void {
    this.#session?.destroy();
  }

  async #visitOnce(): Promise<string> {
    const session = await this.#openSession();
    const stream = session.request({ ':authority': this.target.host });
    await once(stream, 'response');
    return text(stream);
  }

  async #openSession(): Promise<ClientHttp2Session> {
    const { port, host, ca } = this.target;
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const session = connect(`https://127.0.0.1:${port}`, { servername: host, ca });
    session.on('error', () => session.destroy());
    this.#session = session;
    await once(session, 'connect');
    return session;
  }
}

function isRefused({ code, message }: NodeJS.ErrnoException): boolean {
  return message.includes('NGHTTP2_REFUSED_STREAM') || code === 'ERR_HTTP2_GOAWAY_SESSION';
}
