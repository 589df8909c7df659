import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@homeport/platform/server';
import { AuditTrail } from '../../application/audit-trail.port';
import type { InMemoryApps } from './in-memory-apps';

/** The audit trail in memory, for tests. */
export class InMemoryAuditTrail extends AuditTrail {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async record(event: AuditEvent): Promise<void> {
    this.store.auditEvents.set(randomUUID(), event);
  }
}
