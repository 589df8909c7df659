import { randomUUID } from 'node:crypto';
import type { DomainRecord } from '@homeport/apps/contracts';
import { setOwnRecord as setRecord } from '@homeport/dev-services';
import { settings } from '../homeport';

/** Sets the records of a type at a name, as an organization does at its own DNS provider. No values remove them. */
export function setOwnRecord(name: string, type: string, values: readonly string[]): Promise<void> {
  return setRecord(settings, name, type, values);
}

/** Creates the records that a domain asks for. */
export async function createRecords(records: readonly DomainRecord[]): Promise<void> {
  for (const { name, type, value } of records) await setOwnRecord(name, type, [value]);
}

/** A registered domain of a test's own: one process runs several test files. */
export function freshDomain(): string {
  return `shop-${randomUUID().slice(0, 13)}.test`;
}
