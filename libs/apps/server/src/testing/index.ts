export { appRepositoryContract } from './app-repository.contract';
export { dnsZoneContract } from './dns-zone.contract';
export type { OpenZone } from './dns-zone.contract';
