import type { EntityManager } from 'typeorm';

/** An action that the audit trail records. */
export interface AuditEvent {
  readonly organization: string;
  readonly actor: { readonly issuer: string; readonly subject: string };
  /** `<domain>.<event>`. */
  readonly action: string;
  /** The id of the changed resource. */
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Records an event in the transaction of the change. Stored events cannot be changed. */
export async function recordAudit(manager: EntityManager, event: AuditEvent): Promise<void> {
  const { organization, actor, action, target, detail } = event;
  await manager.query(
    `insert into platform.audit_events (organization, issuer, subject, action, target, detail)
     values ($1, $2, $3, $4, $5, $6)`,
    [organization, actor.issuer, actor.subject, action, target, JSON.stringify(detail)],
  );
}
