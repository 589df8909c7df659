import type { Member } from '@homeport/identity/contracts';
import type { AuditEvent } from '@homeport/organizations/server';
import type { DomainClaimFacts } from '../domain/domain-claim';

/** The audit event of an action on a domain. */
export function domainEvent(
  actor: Member,
  action: 'apps.domain-added' | 'apps.domain-changed' | 'apps.domain-removed',
  { id, kind, name, organization }: Pick<DomainClaimFacts, 'id' | 'kind' | 'name' | 'organization'>,
): AuditEvent {
  return { organization, actor, action, target: id, detail: { kind, name } };
}
