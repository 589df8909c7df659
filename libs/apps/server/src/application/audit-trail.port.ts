import type { AuditEvent } from '@homeport/platform/server';

/** Records who changed what. Recorded events cannot be changed. */
export abstract class AuditTrail {
  /** Records an event. Call it in the unit of work of the change. */
  abstract record(event: AuditEvent): Promise<void>;
}
