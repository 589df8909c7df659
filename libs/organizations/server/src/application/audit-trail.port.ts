import type { AuditEvent, RecordedEvent } from '../domain/audit-event';

export interface AuditPageRequest {
  /** At most this many events. */
  readonly limit: number;
  /** Only events before the one with this id. */
  readonly before?: string;
}

/** Records who changed what. Recorded events cannot be changed. Every method can reject with DatabaseUnavailable. */
export abstract class AuditTrail {
  /** Records an event. Call it in the unit of work of the change. */
  abstract record(event: AuditEvent): Promise<void>;

  /** Lists the events of an organization, newest first. */
  abstract list(organization: string, page: AuditPageRequest): Promise<readonly RecordedEvent[]>;
}
