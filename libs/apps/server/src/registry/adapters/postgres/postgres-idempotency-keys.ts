import {
  IdempotencyKeys,
  type StoredResponse,
  type KeyState,
  type IdempotentRequest,
} from '../../application/idempotency-keys.port';
import type { Queries } from '@homeport/platform/server/database';

const KEY_TTL = `interval '24 hours'`;
/** After this time, a repetition may run at the same time as the first request; see `IdempotencyKeys.finish`. */
const LOCK = `interval '15 seconds'`;

interface KeyRow {
  readonly fingerprint: string;
  readonly app_id: string | null;
  readonly status: number | null;
  readonly body: unknown;
}

/**
 * Idempotency keys in PostgreSQL: inserted before the registration starts, and linked to the app in its transaction.
 */
export class PostgresIdempotencyKeys extends IdempotencyKeys {
  constructor(private readonly queries: Queries) {
    super();
  }

  async begin({ organization, key, fingerprint }: IdempotentRequest): Promise<KeyState> {
    return this.queries.transaction(async (manager) => {
      const taken = await manager.query<unknown[]>(
        `insert into apps.idempotency_keys as k (organization, key, fingerprint, locked_until)
         values ($1, $2, $3, now() + ${LOCK})
         on conflict (organization, key) do update
         set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, created_at = now(),
             app_id = null, status = null, body = null
         where k.created_at < now() - ${KEY_TTL}
         returning 1`,
        [organization, key, fingerprint],
      );
      if (taken.length > 0) return { kind: 'new' };
      const [found] = await manager.query<[KeyRow]>(
        'select fingerprint, app_id, status, body from apps.idempotency_keys where organization = $1 and key = $2',
        [organization, key],
      );
      if (found.fingerprint !== fingerprint) return { kind: 'mismatch' };
      if (found.status !== null) return { kind: 'completed', response: { status: found.status, body: found.body } };
      const [resumed] = await manager.query<[{ app_id: string | null }[], number]>(
        `update apps.idempotency_keys set locked_until = now() + ${LOCK}
         where organization = $1 and key = $2 and status is null and locked_until < now() returning app_id`,
        [organization, key],
      );
      const [own] = resumed;
      if (!own) return { kind: 'running' };
      return own.app_id === null ? { kind: 'new' } : { kind: 'unfinished', appId: own.app_id };
    });
  }

  async linkApp(organization: string, key: string, appId: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.query('update apps.idempotency_keys set app_id = $3 where organization = $1 and key = $2', [
        organization,
        key,
        appId,
      ]),
    );
  }

  async finish({ organization, key }: IdempotentRequest, { status, body }: StoredResponse): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `update apps.idempotency_keys set status = $3, body = $4
         where organization = $1 and key = $2 and status is null and ($3 = 201 or app_id is null)`,
        [organization, key, status, JSON.stringify(body)],
      ),
    );
  }

  async release({ organization, key }: IdempotentRequest): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        'delete from apps.idempotency_keys where organization = $1 and key = $2 and status is null and app_id is null',
        [organization, key],
      ),
    );
  }

  async removeExpired(): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(`delete from apps.idempotency_keys where created_at < now() - ${KEY_TTL}`),
    );
  }
}
