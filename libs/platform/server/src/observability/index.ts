export { errorRecord, redacted, serializedError } from './error-record';
export type { ErrorRecord } from './error-record';
export { CodedFailure, causeCodeOf } from './failure-cause';
export { callObserver, OutageLog } from './outage-log';
export type { DependencyCall, OutageLogOptions } from './outage-log';
export { withOutageLog } from './with-outage-log';
export type { ObservedOperation } from './with-outage-log';
