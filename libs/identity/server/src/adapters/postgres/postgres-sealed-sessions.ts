import type { Queries } from '@homeport/platform/server/database';
import type { SealedBox } from '../../domain/sealed-box';
import { MAX_IDLE_MS, MAX_SESSION_MS } from '../../domain/session-lifetime';

/** How many active sessions the keys seal. */
export interface SessionKeyUse {
  /** By the newest key. */
  readonly newest: number;
  /** By older keys; these sessions end when the keys are removed. */
  readonly older: number;
  /** By keys that this box does not have; these people sign in again. */
  readonly unreadable: number;
}

/** Counts the sessions of each key. The tokens of a session are sealed again with each renewal. */
export class PostgresSealedSessions {
  constructor(
    private readonly queries: Queries,
    private readonly box: SealedBox,
  ) {}

  /** @throws {DatabaseUnavailable} */
  async keyUse(): Promise<SessionKeyUse> {
    const rows = await this.queries.run((manager) =>
      manager.query<{ key_id: string; count: number }[]>(
        `select split_part(access_token, '.', 1) as key_id, count(*)::int as count from identity.sessions
         where created_at > now() - $1 * interval '1 millisecond'
           and last_used_at > now() - $2 * interval '1 millisecond' group by 1`,
        [MAX_SESSION_MS, MAX_IDLE_MS],
      ),
    );
    const [newestId, ...olderIds] = this.box.keyIds;
    const countOf = (isCounted: (id: string) => boolean) =>
      rows.filter(({ key_id: id }) => isCounted(id)).reduce((sum, { count }) => sum + count, 0);
    return {
      newest: countOf((id) => id === newestId),
      older: countOf((id) => olderIds.includes(id)),
      unreadable: countOf((id) => !this.box.keyIds.includes(id)),
    };
  }
}
