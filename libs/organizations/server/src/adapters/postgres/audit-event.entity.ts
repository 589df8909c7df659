import { EntitySchema } from 'typeorm';

/** One row of `platform.audit_events`. */
export interface AuditEventRow {
  /** A PostgreSQL bigint, which the driver returns as text; generated like `at`. */
  readonly id?: string;
  readonly at?: Date;
  readonly organization: string;
  readonly issuer: string;
  readonly subject: string;
  /** The name of the token, the pipeline or the system; null for a person. */
  readonly credential: string | null;
  /** A generated column. */
  readonly actor?: string;
  readonly action: string;
  readonly target: string;
  readonly detail: object;
}

export const AuditEventEntity = new EntitySchema<AuditEventRow>({
  name: 'AuditEvent',
  schema: 'platform',
  tableName: 'audit_events',
  columns: {
    id: { type: 'bigint', primary: true, insert: false, update: false },
    at: { type: 'timestamptz', insert: false, update: false },
    organization: { type: 'text', update: false },
    issuer: { type: 'text', update: false },
    subject: { type: 'text', update: false },
    credential: { type: 'text', nullable: true, update: false },
    actor: { type: 'text', insert: false, update: false },
    action: { type: 'text', update: false },
    target: { type: 'text', update: false },
    detail: { type: 'jsonb', update: false },
  },
});
