export { ConnectionTracker } from './connection-tracker';
export { Drain } from './drain';
export { deferContinue, sendContinue } from './expect-continue';
export { hasMultipleHostHeaders } from './host-headers';
export { ignoreUpgrades } from './ignore-upgrades';
export type { UpgradeHandler, UpgradeRequest } from './ignore-upgrades';
export { enableLingeringClose } from './lingering-close';
export { LoadShedder } from './load-shedder';
export { requestIdOf } from './request-id';
