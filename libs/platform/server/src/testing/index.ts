export { testBuckets } from './buckets';
export { embeddedServices, freshDatabase } from './embedded-services';
export type { EmbeddedServices, FreshDatabase } from './embedded-services';
export { recordedOutages } from './recorded-log';
export type { OutageLine } from './recorded-log';
export { UNTRUSTED_CERTIFICATE } from './untrusted-certificate';
export { variablesUnder } from './operations-page';
