import type { DomainRecord } from '@homeport/apps/contracts';

/** The records as a zone file (RFC 1035, section 5), which many DNS providers import. */
export function zoneFile(records: readonly DomainRecord[]): string {
  return records
    .map(({ name, type, value }) => `${name}. IN ${type} ${type === 'TXT' ? `"${value}"` : absolute(type, value)}\n`)
    .join('');
}

function absolute(type: DomainRecord['type'], value: string): string {
  return type === 'CNAME' ? `${value}.` : value;
}
