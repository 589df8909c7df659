export { APP_ADDRESS_KINDS, APP_TYPES, DNS_STATUSES } from './app';
export type {
  ActiveDeploy,
  App,
  AppAddress,
  AppAddressKind,
  AppDeletion,
  AppList,
  AppType,
  DnsError,
  DnsStatus,
  SubdomainAvailability,
} from './app';
export {
  DEPLOY_ERROR_CODES,
  DEPLOY_STATUSES,
  MAX_START_LOG_LINES,
  MAX_SOURCE_MESSAGE_LENGTH,
  NOT_ACTIVATED_REASONS,
  START_PAGE,
} from './deploy';
export type {
  Deploy,
  DeployActivation,
  DeployDetails,
  DeployError,
  DeployFile,
  DeployFileList,
  DeployList,
  DeployProblem,
  DeploySource,
  DeployStatus,
  StartedDeploy,
  UploadedDeploy,
} from './deploy';
export type { DeployLimits, Hosting } from './hosting';
export {
  DOMAIN_CERTIFICATES,
  DOMAIN_HSTS,
  DOMAIN_KINDS,
  DOMAIN_OWNERSHIPS,
  DOMAIN_RECORD_PURPOSES,
  DOMAIN_RECORD_STATES,
  DOMAIN_RECORD_TYPES,
  DOMAIN_ROUTINGS,
  DOMAIN_STATUSES,
} from './domain';
export type {
  Domain,
  DomainCertificate,
  DomainHsts,
  DomainKind,
  DomainList,
  DomainOwnership,
  DomainPricesUsd,
  DomainRecord,
  DomainRecordPurpose,
  DomainRecordState,
  DomainRecordType,
  DomainRouting,
  DomainStatus,
  SeenAnswer,
} from './domain';
export { MAX_ENVIRONMENT_BYTES, MAX_VARIABLES, VARIABLE_SCOPES } from './environment';
export type { EnvironmentVariable, EnvironmentVariableList, VariableScope } from './environment';
export { INSTANCE_STATES, LOG_STREAMS, RUNTIME_STATES } from './runtime';
export type {
  AppRuntime,
  InstanceState,
  LogLine,
  LogPage,
  LogStream,
  RuntimeDetails,
  RuntimeInstance,
  RuntimeLimits,
  RuntimeState,
} from './runtime';
export { SetVariable } from './set-variable';
export { isIgnoredPath } from './ignored-path';
export { AddDomain, ChangeDomain } from './add-domain';
export { RegisterApp } from './register-app';
export {
  MAX_SUBDOMAIN_LENGTH,
  MIN_SUBDOMAIN_LENGTH,
  RESERVED_SUBDOMAINS,
  SUBDOMAIN_FAULTS,
  subdomainFrom,
} from './subdomain';
export type { DerivedSubdomain, SubdomainFault } from './subdomain';
