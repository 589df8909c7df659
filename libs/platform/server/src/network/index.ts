export { AddressPolicy } from './address-policy';
export type { AddressPolicyOptions } from './address-policy';
export { createClientConnectionResolver } from './client-connection';
export type { ClientConnection, ClientConnectionResolver } from './client-connection';
