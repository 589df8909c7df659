import { type AuditedActor, type AuditEvent, SYSTEM_ACTOR } from '@homeport/organizations/server';
import type { DomainClaimFacts } from '../domain/domain-claim';

type AuditedDomain = Pick<DomainClaimFacts, 'id' | 'kind' | 'name' | 'organization'>;

/** What members do to domains. */
type RequestedAction = 'apps.domain-added' | 'apps.domain-changed' | 'apps.domain-removed';

/** What Homeport does to domains by itself. */
type AutomaticAction =
  | 'apps.domain-verified'
  | 'apps.domain-suspended'
  | 'apps.domain-restored'
  | 'apps.domain-released'
  | 'apps.domain-taken-over'
  | 'apps.certificate-issued'
  | 'apps.certificate-renewed'
  | 'apps.certificate-failed';

/** The audit event of an action of a member on a domain. */
export function domainEvent(actor: AuditedActor, action: RequestedAction, domain: AuditedDomain): AuditEvent {
  return eventOf(actor, action, domain);
}

/** The audit event of what Homeport does to a domain by itself. */
export function systemDomainEvent(
  action: AutomaticAction,
  domain: AuditedDomain,
  more: AuditEvent['detail'] = {},
): AuditEvent {
  return eventOf(SYSTEM_ACTOR, action, domain, more);
}

/** The audit events of a check. Its result can change again and again; only what the owner notices is recorded. */
export function checkEvents(before: DomainClaimFacts, after: DomainClaimFacts): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  if (!before.verifiedAt && after.verifiedAt) events.push(systemDomainEvent('apps.domain-verified', after));
  if (!before.suspendedAt && after.suspendedAt) events.push(systemDomainEvent('apps.domain-suspended', after));
  if (before.suspendedAt && !after.suspendedAt) events.push(systemDomainEvent('apps.domain-restored', after));
  if (!before.releasedAt && after.releasedAt) {
    const reason = after.verifiedAt ? 'proof-missing' : 'never-verified';
    events.push(systemDomainEvent('apps.domain-released', after, { reason }));
  }
  return events;
}

function eventOf(
  actor: AuditedActor,
  action: string,
  { id, kind, name, organization }: AuditedDomain,
  more: AuditEvent['detail'] = {},
): AuditEvent {
  return { organization, actor, action, target: id, detail: { kind, name, ...more } };
}
