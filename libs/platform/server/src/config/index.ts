export { DATABASE_VARIABLES } from './database-variables';
export { distinctPorts } from './port-check';
export { InvalidConfig, readEnvironment } from './read-environment';
export type { Environment } from './read-environment';
export { S3_KEY_PAIR_CHECK, S3_VARIABLES, s3OptionsOf } from './s3-variables';
export {
  flag,
  headerText,
  hostname,
  httpUrl,
  list,
  logLevel,
  MANAGEMENT_VARIABLES,
  TRACING_VARIABLES,
  networks,
  port,
  shutdownNotice,
  text,
  wholeNumber,
} from './variables';
export { secretsKeys } from './secrets-keys';
