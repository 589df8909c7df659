import type { Queries } from '@homeport/platform/server/database';
import { LessThan } from 'typeorm';
import { type AuditPageRequest, AuditTrail } from '../../application/audit-trail.port';
import { type AuditEvent, credentialOf, type RecordedEvent } from '../../domain/audit-event';
import { AuditEventEntity } from './audit-event.entity';

/** The audit trail in PostgreSQL. */
export class PostgresAuditTrail extends AuditTrail {
  constructor(private readonly queries: Pick<Queries, 'run'>) {
    super();
  }

  async record({ actor, ...event }: AuditEvent): Promise<void> {
    const { issuer, subject } = actor;
    const credential = credentialOf(actor) ?? null;
    await this.queries.run((manager) => manager.insert(AuditEventEntity, { ...event, issuer, subject, credential }));
  }

  async list(organization: string, { limit, before }: AuditPageRequest): Promise<readonly RecordedEvent[]> {
    const rows = await this.queries.run((manager) =>
      manager.find(AuditEventEntity, {
        where: { organization, ...(before !== undefined && { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take: limit,
      }),
    );
    return rows.map(({ issuer, subject, credential: _, actor: name = '', ...event }) => ({
      ...(event as Omit<RecordedEvent, 'actor'>),
      actor: { issuer, subject, name },
    }));
  }
}
