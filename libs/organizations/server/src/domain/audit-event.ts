/** Who did something, as the token proves it. */
export interface AuditedActor {
  readonly issuer: string;
  readonly subject: string;
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

export interface RecordedEvent extends AuditEvent {
  /** A decimal number; later events have higher numbers. */
  readonly id: string;
  readonly at: Date;
}
