import type { DomainKind, DomainRecordPurpose, DomainRecordType } from '@homeport/apps/contracts';
import type { DomainName } from './domain-name';
import { registrableDomainOf } from './domain-rules';

/** A record that the owner has to create. */
export interface RequiredRecord {
  readonly type: DomainRecordType;
  readonly name: string;
  readonly value: string;
  readonly purpose: DomainRecordPurpose;
}

export interface RecordTargets {
  /** The host that visitors of apps reach. */
  readonly cdnHostname: string;
  /** Addresses of that host, for names that cannot have a CNAME record. */
  readonly cdnAddresses: readonly string[];
  /** The zone in which this installation answers DNS challenges; undefined without certificates for base domains. */
  readonly challengeZone: string | undefined;
}

export interface ClaimedName {
  readonly id: string;
  readonly kind: DomainKind;
  readonly name: DomainName;
  readonly token: string;
}

/** Where people put a record by mistake: with the domain twice, and an ownership record without its prefix or label. */
export function misplacedNames({ name }: Pick<ClaimedName, 'name'>, record: RequiredRecord): readonly string[] {
  const domain = registrableDomainOf(name) ?? name;
  const doubled = `${record.name}.${domain}`;
  if (record.purpose !== 'ownership') return [doubled];
  return [doubled, name, `homeport.${name}`, ...(domain === name ? [] : [`_homeport.${domain}`])];
}

/** The records of a claim, the ownership record first. */
export function requiredRecords(claim: ClaimedName, targets: RecordTargets): readonly RequiredRecord[] {
  return [ownershipRecord(claim), ...routingRecords(claim, targets), ...challengeRecords(claim, targets)];
}

export function ownershipRecord({ name, token }: Pick<ClaimedName, 'name' | 'token'>): RequiredRecord {
  return { type: 'TXT', name: `_homeport.${name}`, value: `homeport-domain=${token}`, purpose: 'ownership' };
}

function routingRecords({ kind, name }: ClaimedName, targets: RecordTargets): RequiredRecord[] {
  const routing = { purpose: 'routing', name: kind === 'base' ? `*.${name}` : name } as const;
  // A registered domain has other records, beside which a CNAME record is not allowed (RFC 1034, section 3.6.2).
  const isApex = kind === 'hostname' && registrableDomainOf(name) === name;
  if (!isApex || targets.cdnAddresses.length === 0) return [{ type: 'CNAME', value: targets.cdnHostname, ...routing }];
  return targets.cdnAddresses.map((value) => ({ type: value.includes(':') ? 'AAAA' : 'A', value, ...routing }));
}

function challengeRecords({ id, kind, name }: ClaimedName, { challengeZone }: RecordTargets): RequiredRecord[] {
  if (kind !== 'base' || challengeZone === undefined) return [];
  return [{ type: 'CNAME', name: `_acme-challenge.${name}`, value: `${id}.${challengeZone}`, purpose: 'challenge' }];
}
