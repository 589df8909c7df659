export { appRepositoryContract } from './app-repository.contract';
export { dnsLedgerContract } from './dns-ledger.contract';
export { dnsZoneContract } from './dns-zone.contract';
export { Route53Double } from './route53-double';
export type { OpenZone } from './dns-zone.contract';
export type { OpenApps } from './app-repository.contract';
