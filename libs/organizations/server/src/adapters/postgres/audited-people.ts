import type { Query } from '@homeport/platform/server/postgres';
import { SYSTEM_ACTOR } from '../../domain/audit-event';

/** People that are read at once, so that no statement reaches its time limit. */
const PAGE_SIZE = 1_000;

/** The last action of the first person after another one. The index `audit_events_people_idx` has this condition. */
const NEXT_PERSON = (after: string) => `
  select issuer, subject, organization from platform.audit_events
  where (issuer, subject) > (${after}) and issuer <> '${SYSTEM_ACTOR.issuer}' and action not like 'pricing.%'
  order by issuer, subject, id desc limit 1`;

/** Skips from person to person in the index, because a trail has many actions of few people. */
const PEOPLE = `
  with recursive people as (
    (${NEXT_PERSON('$1, $2')})
    union all
    select next.* from people, lateral (${NEXT_PERSON('people.issuer, people.subject')}) as next
  )
  select * from people limit $3`;

/** A person and the organization for which the person acted last. */
export interface AuditedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly organization: string;
}

/**
 * Reads the people of the audit trail in pages, each person once. Publishing prices does not count: it is done for the
 * installation, not for the organization of the person.
 */
export async function* auditedPeople(query: Query, pageSize = PAGE_SIZE): AsyncGenerator<readonly AuditedPerson[]> {
  let rows: readonly AuditedPerson[] = [];
  do {
    const { issuer = '', subject = '' } = rows.at(-1) ?? {};
    rows = await query<AuditedPerson>(PEOPLE, [issuer, subject, pageSize]);
    yield rows;
  } while (rows.length === pageSize);
}
