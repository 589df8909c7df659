import pg from 'pg';
import { settings } from '../homeport';

/** What the runtime finds when it starts the server of a deploy. */
export interface CheckOutcome {
  readonly passed: boolean;
  readonly reason?: string;
  readonly log?: readonly string[];
}

/** Takes the place of the runtime: answers the start checks of some apps, and reports states, instances and logs. */
export class FakeRuntime {
  readonly #apps = new Map<string, CheckOutcome>();
  readonly #client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
  #checks: Promise<unknown> = Promise.resolve();

  async open(): Promise<this> {
    await this.#client.connect();
    this.#client.on('notification', ({ payload = '' }) => {
      const [kind, id = ''] = payload.split(':');
      if (kind === 'starting') this.#checks = this.#checks.then(() => this.#check(id)).catch(() => undefined);
    });
    await this.#client.query('listen homeport_runtime');
    return this;
  }

  async close(): Promise<void> {
    await this.#checks;
    await this.#client.end();
  }

  /** Decides how the starts of the servers of an app end. */
  answer(appId: string, outcome: CheckOutcome): void {
    this.#apps.set(appId, outcome);
  }

  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.#client.query<T>(text, values).then(({ rows }) => rows);
  }

  async #check(deployId: string): Promise<void> {
    const [deploy] = await this.query<{ app_id: string }>('select app_id from apps.deploys where id = $1', [deployId]);
    const outcome = this.#apps.get(deploy?.app_id ?? '');
    if (!outcome) return;
    await this.query('insert into runtime.start_checks (deploy_id, passed, reason, log) values ($1, $2, $3, $4)', [
      deployId,
      outcome.passed,
      outcome.reason ?? null,
      JSON.stringify(outcome.log ?? []),
    ]);
  }
}
