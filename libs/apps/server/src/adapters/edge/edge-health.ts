import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HealthProbe, rawPathOf } from '@homeport/platform/server';
import type { EdgeLog } from './edge-log';
import { sendWhole } from './file-sender';

const CHECK_LIMIT_MS = 2_000;

type States = Readonly<Record<string, 'up' | 'down'>>;

/**
 * Whether this instance runs, and whether it should get requests: from the first time that everything that gates has
 * answered. Later it serves what it knows, whatever is away, and says what is.
 */
export class EdgeHealth {
  #wasReady = false;
  /** Told of once: probes come every few seconds. */
  readonly #down = new Set<string>();
  #underWay: Promise<States> | undefined;
  isDraining = false;

  constructor(
    private readonly probes: readonly HealthProbe[],
    /** Whether it has something to serve when everything is away. */
    private readonly knowsSites: () => boolean,
    private readonly log: Pick<EdgeLog, 'warn'>,
  ) {}

  /** @returns whether the address is one of these. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const path = rawPathOf(request.url ?? '');
    if (path === '/health/live') send(request, response, 200, { status: 'ok' });
    else if (path === '/health/ready') void this.#answerReady(request, response);
    else return false;
    return true;
  }

  async #answerReady(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDraining) return send(request, response, 503, { status: 'draining' });
    // Anybody may ask, so however many do, each dependency is asked once at a time.
    this.#underWay ??= this.#check().finally(() => (this.#underWay = undefined));
    const checks = await this.#underWay;
    this.#wasReady ||= this.knowsSites() || this.probes.every(({ name, gates }) => !gates || checks[name] === 'up');
    const status = Object.values(checks).every((state) => state === 'up') ? 'ok' : 'degraded';
    if (this.#wasReady) send(request, response, 200, { status, checks });
    else send(request, response, 503, { status: 'starting', checks });
  }

  async #check(): Promise<States> {
    const states = this.probes.map(async (probe) => [probe.name, await this.#stateOf(probe)] as const);
    return Object.fromEntries(await Promise.all(states));
  }

  async #stateOf({ name, check }: HealthProbe): Promise<States[string]> {
    const limit = AbortSignal.timeout(CHECK_LIMIT_MS);
    const late = new Promise<never>((_resolve, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason as Error), { once: true });
    });
    try {
      await Promise.race([check(limit), late]);
      this.#down.delete(name);
      return 'up';
    } catch (error) {
      if (!this.#down.has(name)) this.log.warn(error, `${name} is down`);
      this.#down.add(name);
      return 'down';
    }
  }
}

function send(request: IncomingMessage, response: ServerResponse, status: number, report: object): void {
  const body = Buffer.from(JSON.stringify(report));
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
  sendWhole(request, response, { status, headers: [...headers, 'Cache-Control', 'no-store'], body });
}
