import { setTimeout } from 'node:timers/promises';
import type { Queries } from '@homeport/platform/server/database';
import { type StartCheck, StartChecks } from '../../application/start-checks.port';
import type { RuntimeFeed } from '../../../runtime/application/runtime-feed.port';

/** Notifications can be lost, so the table is read at least this often. */
const POLL_MS = 1_000;

interface CheckRow {
  readonly passed: boolean | null;
  readonly reason: string | null;
  readonly log: readonly unknown[] | null;
  readonly launched: boolean;
}

/** The start checks that runtimes write into PostgreSQL. */
export class PostgresStartChecks extends StartChecks {
  constructor(
    private readonly queries: Queries,
    private readonly feed: Pick<RuntimeFeed, 'subscribe'>,
  ) {
    super();
  }

  async find(deployId: string): Promise<StartCheck | 'waiting' | 'launched'> {
    const [row] = await this.queries.run((manager) =>
      manager.query<CheckRow[]>(
        `select c.passed, c.reason, c.log,
           exists (select from runtime.instances where deploy_id = d.id
             and seen_at > clock_timestamp() - interval '30 seconds') as launched
         from apps.deploys d left join runtime.start_checks c on c.deploy_id = d.id where d.id = $1`,
        [deployId],
      ),
    );
    if (!row || row.passed === null) return row?.launched ? 'launched' : 'waiting';
    return { hasPassed: row.passed, reason: row.reason, log: (row.log ?? []).map(String) };
  }

  async changed(deployId: string, signal: AbortSignal): Promise<void> {
    const notified = new AbortController();
    const unsubscribe = this.feed.subscribe(({ kind, id }) => {
      if (kind === 'checked' && id === deployId) notified.abort();
    });
    try {
      await setTimeout(POLL_MS, undefined, { signal: AbortSignal.any([signal, notified.signal]) });
    } catch {
      // Aborted: the caller reads the check again.
    } finally {
      unsubscribe();
    }
  }
}
