export { testBuckets } from './test-buckets';
export { embeddedServices, freshDatabase } from './embedded-services';
export type { EmbeddedServices, FreshDatabase } from './embedded-services';
export { recordOutages } from './record-outages';
export type { OutageLine } from './record-outages';
export { isFullSuite, suiteSize } from './suite-size';
export { UNTRUSTED_CERTIFICATE } from './untrusted-certificate';
export { documentedVariables } from './documented-variables';
