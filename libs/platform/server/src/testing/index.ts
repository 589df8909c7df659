export { testBuckets } from './buckets';
export { embeddedServices, freshDatabase } from './embedded-services';
export type { EmbeddedServices, FreshDatabase } from './embedded-services';
export { variablesUnder } from './operations-page';
