import type { Member } from '@homeport/identity/contracts';
import type { AuditEvent } from '@homeport/organizations/server';

/** The audit event of an action on a deploy of an app. @param detail the deploy or branch, and more facts about the action. */
export function deployEvent(
  actor: Member,
  action: 'apps.deployed' | 'apps.activated' | 'apps.rolled-back' | 'apps.deploy-deleted' | 'apps.alias-released',
  appId: string,
  detail: ({ readonly deploy: string } | { readonly branch: string }) & Readonly<Record<string, unknown>>,
): AuditEvent {
  return { organization: actor.organization, actor, action, target: appId, detail };
}
