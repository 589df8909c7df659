export { APP_TYPES, DNS_STATUSES } from './app';
export type { App, AppDeletion, AppList, AppType, DnsError, DnsStatus, SubdomainAvailability } from './app';
export { DEPLOY_ERROR_CODES, DEPLOY_STATUSES } from './deploy';
export type {
  Deploy,
  DeployDetails,
  DeployError,
  DeployFile,
  DeployFileList,
  DeployList,
  DeployProblem,
  DeployStatus,
} from './deploy';
export type { DeployLimits, Hosting } from './hosting';
export { isIgnoredPath } from './ignored-path';
export { RegisterApp } from './register-app';
export {
  MAX_SUBDOMAIN_LENGTH,
  MIN_SUBDOMAIN_LENGTH,
  RESERVED_SUBDOMAINS,
  SUBDOMAIN_FAULTS,
  subdomainFrom,
} from './subdomain';
export type { DerivedSubdomain, SubdomainFault } from './subdomain';
