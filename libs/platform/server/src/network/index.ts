export { AddressPolicy } from './address-policy';
export type { AddressPolicyOptions } from './address-policy';
