import type { Query } from '@homeport/platform/server/postgres';
import { SYSTEM_ACTOR } from '../../domain/audit-event';

/** Events that are read at once, so that no statement reaches its time limit. */
const PAGE_SIZE = 10_000;

/** A person who acted for an organization. */
export interface AuditedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly organization: string;
}

interface EventRow extends AuditedPerson {
  readonly id: string;
}

/** Reads the people of the audit trail in pages, in the order of their actions. A person can occur repeatedly. */
export async function* auditedPeople(query: Query): AsyncGenerator<readonly AuditedPerson[]> {
  let rows: readonly EventRow[];
  let after = '0';
  do {
    // Prices are published for the installation, not for the organization of the person.
    rows = await query<EventRow>(
      `select id, issuer, subject, organization from platform.audit_events
       where id > $1 and issuer <> $2 and action not like 'pricing.%' order by id limit $3`,
      [after, SYSTEM_ACTOR.issuer, PAGE_SIZE],
    );
    yield rows;
    after = rows.at(-1)?.id ?? after;
  } while (rows.length === PAGE_SIZE);
}
