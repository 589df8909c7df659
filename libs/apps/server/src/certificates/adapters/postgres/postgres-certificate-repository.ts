import { randomUUID } from 'node:crypto';
import type { DomainCertificate } from '@homeport/apps/contracts';
import { type AuditEvent, PostgresAuditTrail } from '@homeport/organizations/server';
import { type Database, queriesIn } from '@homeport/platform/server/database';
import { certificateContext, type SecretBox } from '@homeport/platform/server/secrets';
import type { EntityManager } from 'typeorm';
import { In } from 'typeorm';
import { DomainClaimEntity } from '../../../domains/adapters/postgres/domain-claim.entity';
import { toRecord } from '../../../domains/adapters/postgres/postgres-domain-claim-repository';
import {
  type AcquiredOrder,
  CertificateRepository,
  type Completion,
  type Postponement,
  type RenewalLook,
  type WantedCertificates,
} from '../../application/certificate-repository.port';
import type { CertificateOrder, IssuedCertificate, OrderProgress } from '../../domain/certificate-order';
import { type OrderRow, toOrder } from './order-rows';

/** Certificates and orders in PostgreSQL. */
export class PostgresCertificateRepository extends CertificateRepository {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {
    super();
  }

  async addWanted({ includesBaseDomains, platformNames, isManaged }: WantedCertificates, now: Date): Promise<void> {
    await this.database.transaction(async (manager) => {
      // An order that another instance completes is deleted in the transaction that stores its certificate. Without the
      // lock, a statement that began before that would see neither, and add the order again.
      await manager.query('lock table apps.certificate_orders in share row exclusive mode');
      await manager.query(
        `insert into apps.certificate_orders (claim_id, names, challenge, next_attempt_at, created_at)
         select c.id, array[case c.kind when 'base' then '*.' || c.name else c.name end],
           case c.kind when 'base' then 'dns-01' else 'http-01' end, $3::timestamptz, $3::timestamptz
         from apps.domain_claims c
         where c.verified_at is not null and c.suspended_at is null and c.released_at is null and c.routing = 'here'
           and (c.kind = 'hostname' or $1::boolean)
           and case when $2::boolean then c.certificate <> 'active'
             else not exists (select from apps.certificates t where t.claim_id = c.id and t.renew_at > $3) end
         on conflict (claim_id) do nothing`,
        [includesBaseDomains, isManaged, now],
      );
      if (platformNames) await this.#addPlatform(manager, platformNames, now);
    });
  }

  async #addPlatform(manager: EntityManager, names: readonly string[], now: Date): Promise<void> {
    await manager.query(
      `insert into apps.certificate_orders (claim_id, names, challenge, next_attempt_at, created_at)
       select null::uuid, $1::text[], 'dns-01', $2::timestamptz, $2::timestamptz
       where not exists (
         select from apps.certificates where claim_id is null and renew_at > $2 and names = $1::text[])
       on conflict (claim_id) do nothing`,
      [names, now],
    );
  }

  async acquireDue(leaseMs: number, limit: number, now: Date): Promise<readonly AcquiredOrder[]> {
    const rows = await this.database.run(async (manager) => {
      const [acquired] = await manager.query<[OrderRow[], number]>(
        `with due as (
           select id from apps.certificate_orders where next_attempt_at <= $3
           order by next_attempt_at limit $2 for update skip locked)
         update apps.certificate_orders o
         set next_attempt_at = $3::timestamptz + $1 * interval '1 millisecond', lease = gen_random_uuid()
         from due
         left join lateral (
           select t.chain, t.not_after, r.directory as chain_directory from apps.certificates t
           join apps.certificate_orders mine on mine.id = due.id and t.claim_id is not distinct from mine.claim_id
           left join apps.certificate_renewals r on r.certificate_id = t.id
           order by t.not_after desc limit 1) current on true
         where o.id = due.id
         returning o.*, current.chain, current.not_after, current.chain_directory`,
        [leaseMs, limit, now],
      );
      return acquired;
    });
    const ids = rows.flatMap(({ claim_id }) => claim_id ?? []);
    const claims = await this.database.run((manager) => manager.findBy(DomainClaimEntity, { id: In(ids) }));
    const byId = new Map(claims.map((claim) => [claim.id, toRecord(claim)]));
    return rows.map((row) => ({
      order: toOrder(row, this.box),
      claim: row.claim_id === null ? undefined : byId.get(row.claim_id),
      hasValidCertificate: row.not_after !== null && row.not_after > now,
    }));
  }

  async saveProgress(order: CertificateOrder, progress: OrderProgress, state: DomainCertificate): Promise<boolean> {
    const sealed = progress.privateKey ? this.box.seal(progress.privateKey, certificateContext(order.id)) : null;
    return this.#change(order, { state }, (manager) =>
      manager.query(
        `update apps.certificate_orders set directory = $3, url = $4, sealed_key = $5
         where id = $1 and lease = $2 returning id`,
        [order.id, order.lease, progress.directory, progress.url, sealed],
      ),
    );
  }

  async postpone(order: CertificateOrder, postponement: Postponement): Promise<void> {
    const { nextAttemptAt, failures, error, keepsProgress } = postponement;
    await this.#change(order, postponement, (manager) =>
      manager.query(
        `update apps.certificate_orders set next_attempt_at = $3, failures = $4, error = $5, lease = null,
           directory = case when $6 then directory end, url = case when $6 then url end,
           sealed_key = case when $6 then sealed_key end
         where id = $1 and lease = $2 returning id`,
        [order.id, order.lease, nextAttemptAt, failures, error, keepsProgress],
      ),
    );
  }

  async changeChallenge(order: CertificateOrder, challenge: CertificateOrder['challenge']): Promise<void> {
    await this.database.run((manager) =>
      manager.query('update apps.certificate_orders set challenge = $3 where id = $1 and lease = $2', [
        order.id,
        order.lease,
        challenge,
      ]),
    );
  }

  async complete(order: CertificateOrder, { certificate, renewAt, event }: Completion): Promise<boolean> {
    return this.#change(order, { state: 'active', event }, async (manager) => {
      const ended = await manager.query<[unknown[], number]>(
        'delete from apps.certificate_orders where id = $1 and lease = $2 returning id',
        [order.id, order.lease],
      );
      if (certificate && ended[0].length > 0) await this.#replace(manager, order, { ...certificate, renewAt });
      return ended;
    });
  }

  async #replace(
    manager: EntityManager,
    { claimId = null, names }: Pick<CertificateOrder, 'names'> & { readonly claimId?: string | null | undefined },
    certificate: IssuedCertificate & { readonly renewAt: Date },
  ): Promise<void> {
    const { chain, privateKey, notBefore, notAfter, renewAt, serial, directory } = certificate;
    const id = randomUUID();
    await manager.query('delete from apps.certificates where claim_id is not distinct from $1', [claimId]);
    await manager.query(
      `insert into apps.certificates (id, claim_id, names, chain, sealed_key, not_before, not_after, renew_at, serial)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[id, claimId, names, chain, this.box.seal(privateKey, certificateContext(id))],
        ...[notBefore, notAfter, renewAt, serial],
      ],
    );
    await manager.query(
      'insert into apps.certificate_renewals (certificate_id, directory, next_look_at) values ($1, $2, $3)',
      [id, directory, notBefore],
    );
    await manager.query('update apps.domain_claims set certificate_expires_at = $2 where id = $1', [claimId, notAfter]);
  }

  async discard(order: CertificateOrder): Promise<void> {
    await this.database.transaction(async (manager) => {
      await manager.query('delete from apps.certificate_orders where id = $1 and lease = $2', [order.id, order.lease]);
      await manager.query(
        `update apps.domain_claims c set certificate = case
           when exists (select from apps.certificates where claim_id = c.id) then 'active' else 'none' end
         where c.id = $1 and c.certificate in ('ordering', 'renewing')`,
        [order.claimId ?? null],
      );
    });
  }

  async removeReleased(): Promise<void> {
    await this.database.transaction(async (manager) => {
      for (const table of ['certificates', 'certificate_orders']) {
        await manager.query(
          `delete from apps.${table} t using apps.domain_claims c
           where c.id = t.claim_id and c.released_at is not null`,
        );
      }
    });
  }

  async keptClaims(claimIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.run((manager) =>
      manager.query<{ id: string }[]>(
        `select id from apps.domain_claims
         where id::text = any ($1::text[]) and verified_at is not null and released_at is null`,
        [claimIds],
      ),
    );
    return new Set(rows.map(({ id }) => id));
  }

  async acquireRenewalLooks(leaseMs: number, limit: number, now: Date): Promise<readonly RenewalLook[]> {
    return this.database.run(async (manager) => {
      const [rows] = await manager.query<[RenewalLook[], number]>(
        `with due as (
           select certificate_id from apps.certificate_renewals where next_look_at <= $3
           order by next_look_at limit $2 for update skip locked)
         update apps.certificate_renewals r set next_look_at = $3::timestamptz + $1 * interval '1 millisecond'
         from due, apps.certificates t
         where r.certificate_id = due.certificate_id and t.id = due.certificate_id
         returning t.id as "certificateId", t.chain, r.directory`,
        [leaseMs, limit, now],
      );
      return rows;
    });
  }

  async setRenewal(certificateId: string, renewAt: Date | undefined, nextLookAt: Date): Promise<void> {
    await this.database.transaction(async (manager) => {
      await manager.query('update apps.certificate_renewals set next_look_at = $2 where certificate_id = $1', [
        certificateId,
        nextLookAt,
      ]);
      // Each change of a certificate notifies the edges.
      if (renewAt)
        await manager.query('update apps.certificates set renew_at = $2 where id = $1', [certificateId, renewAt]);
    });
  }

  async msUntilDue(now: Date): Promise<number | undefined> {
    const [row] = await this.database.run((manager) =>
      manager.query<[{ at: Date | null }]>('select min(next_attempt_at) as at from apps.certificate_orders'),
    );
    return row.at === null ? undefined : Math.max(0, row.at.getTime() - now.getTime());
  }

  /**
   * Changes an order under its lease, and the state of its claim, and records why.
   * @returns whether the lease was valid.
   */
  async #change(
    order: CertificateOrder,
    { state, event }: { readonly state?: DomainCertificate | undefined; readonly event?: AuditEvent | undefined },
    change: (manager: EntityManager) => Promise<[unknown[], number]>,
  ): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      const [changed] = await change(manager);
      if (changed.length === 0) return false;
      if (state !== undefined && order.claimId !== undefined) {
        await manager.query('update apps.domain_claims set certificate = $2 where id = $1', [order.claimId, state]);
      }
      if (event) await new PostgresAuditTrail(queriesIn(manager)).record(event);
      return true;
    });
  }
}
