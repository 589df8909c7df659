export { appRepositoryContract } from './app-repository.contract';
export { dnsLedgerContract } from './dns-ledger.contract';
export { dnsZoneContract } from './dns-zone.contract';
export { dnsZoneModel } from './dns-zone.model';
export { Route53Double } from './route53-double';
export type { Route53Call, Route53DoubleOptions } from './route53-double';
export type { Route53Action, Route53Fault } from './route53-faults';
export type { OpenZone } from './dns-zone.contract';
export type { OpenApps } from './app-repository.contract';
