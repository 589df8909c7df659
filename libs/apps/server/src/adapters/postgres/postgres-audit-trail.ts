import { type AuditEvent, recordAudit } from '@homeport/platform/server';
import { AuditTrail } from '../../application/audit-trail.port';
import type { Queries } from './queries';

/** The audit trail in PostgreSQL. */
export class PostgresAuditTrail extends AuditTrail {
  constructor(private readonly queries: Queries) {
    super();
  }

  async record(event: AuditEvent): Promise<void> {
    await this.queries.run((manager) => recordAudit(manager, event));
  }
}
