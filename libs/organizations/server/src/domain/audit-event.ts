import { type Actor, auditNameOf } from '@homeport/identity/contracts';

/** Homeport itself, for changes that no request asks for, such as those of a background job. */
export const SYSTEM_ACTOR = { isSystem: true, issuer: 'homeport', subject: 'system' } as const;

/** Who did something: as the token proves it, or the system. */
export type AuditedActor = Pick<Actor, 'issuer' | 'subject' | 'grant'> | typeof SYSTEM_ACTOR;

/** Who did something, as the audit trail shows it. */
export interface RecordedActor extends Pick<Actor, 'issuer' | 'subject'> {
  /** `person:{sub}`, `token:{id}`, `ci:{trust id}` or `system`. */
  readonly name: string;
}

/** An action that the audit trail records. */
export interface AuditEvent {
  readonly organization: string;
  readonly actor: AuditedActor;
  /** `<domain>.<event>`. */
  readonly action: string;
  /** The id of the changed resource. */
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface RecordedEvent extends Omit<AuditEvent, 'actor'> {
  readonly actor: RecordedActor;
  /** A decimal number; later events have higher numbers. */
  readonly id: string;
  readonly at: Date;
}

/** The name of an actor that is not a person; undefined for a person. */
export function credentialOf(actor: AuditedActor): string | undefined {
  if ('isSystem' in actor) return 'system';
  return actor.grant && auditNameOf(actor);
}
