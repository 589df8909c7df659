import { expect } from '@jest/globals';
import type { DomainRecord } from '@homeport/apps/contracts';
import { settings } from '../homeport';

/** Sets the records of a type at a name, as an organization does at its own DNS provider. No values remove them. */
export async function setOwnRecord(name: string, type: string, values: readonly string[]): Promise<void> {
  const url = `${settings['EMBEDDED_DNS_URL']}/practice/${encodeURIComponent(name)}/${type}`;
  const headers = { authorization: `Bearer ${settings['EMBEDDED_DNS_TOKEN']}` };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(values) });
  expect(response.status).toBe(204);
}

/** Creates the records that a domain asks for. */
export async function createRecords(records: readonly DomainRecord[]): Promise<void> {
  for (const { name, type, value } of records) await setOwnRecord(name, type, [value]);
}

let count = 0;

/** A registered domain of a test's own. */
export function freshDomain(): string {
  count += 1;
  return `shop-${process.pid}-${count}.test`;
}
