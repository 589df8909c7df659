import type { EntityManager } from 'typeorm';

/** Something somebody did that others may have to account for. */
export interface AuditEvent {
  readonly organization: string;
  readonly actor: { readonly issuer: string; readonly subject: string };
  /** `<domain>.<what-happened>`. */
  readonly action: string;
  /** The id of what it was done to. */
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Writes an event down in the transaction of what it tells of. Nobody can change it afterwards. */
export async function recordAudit(manager: EntityManager, event: AuditEvent): Promise<void> {
  const { organization, actor, action, target, detail } = event;
  await manager.query(
    `insert into platform.audit_events (organization, issuer, subject, action, target, detail)
     values ($1, $2, $3, $4, $5, $6)`,
    [organization, actor.issuer, actor.subject, action, target, JSON.stringify(detail)],
  );
}
