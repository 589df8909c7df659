import { auditNameOf } from '@homeport/identity/contracts';
import { type AuditPageRequest, AuditTrail } from '../../application/audit-trail.port';
import { type AuditEvent, credentialOf, type RecordedEvent } from '../../domain/audit-event';

/** The audit trail in memory, for tests. */
export class InMemoryAuditTrail extends AuditTrail {
  /** @param events by their ids. */
  constructor(private readonly events: Map<string, RecordedEvent> = new Map()) {
    super();
  }

  async record({ actor, ...event }: AuditEvent): Promise<void> {
    const id = String(this.events.size + 1);
    const { issuer, subject } = actor;
    const name = credentialOf(actor) ?? auditNameOf(actor);
    this.events.set(id, { ...event, actor: { issuer, subject, name }, id, at: new Date() });
  }

  async list(organization: string, { limit, before }: AuditPageRequest): Promise<readonly RecordedEvent[]> {
    return [...this.events.values()]
      .filter((event) => event.organization === organization && Number(event.id) < Number(before ?? Infinity))
      .toReversed()
      .slice(0, limit);
  }
}
