export { recordAudit } from './audit/audit-trail';
export type { AuditEvent } from './audit/audit-trail';
export { Audit1764000000100 } from './audit/migrations/1764000000100-audit';
export { DATABASE_VARIABLES } from './config/database-variables';
export { InvalidConfig, readEnvironment } from './config/read-environment';
export type { Environment } from './config/read-environment';
export { S3_KEY_PAIR_CHECK, S3_VARIABLES, s3OptionsOf } from './config/s3-variables';
export { flag, hostname, httpUrl, list, logLevel, port, shutdownNotice, text, wholeNumber } from './config/variables';
export { createDatabase, migrate } from './database/create-database';
export { Database, DATABASE_OPERATION } from './database/database';
export type { DatabaseOptions } from './database/database';
export { violatesConstraint } from './database/database-errors';
export { HealthModule } from './health/health.module';
export { HealthMonitor } from './health/health-monitor';
export type { HealthProbe } from './health/health-probe';
export { sendNotModified, sendWithETag } from './http/conditional-responses';
export { Drain } from './http/drain';
export { matchesETagStrongly, matchesETagWeakly } from './http/entity-tags';
export { deferContinue, sendContinue } from './http/expect-continue';
export { collectRoutes } from './http/route-table';
export { EncodedJson } from './http/encoded-json';
export { LargeResponses } from './http/large-responses';
export { abortSignalFor } from './http/abort-signal-for';
export { MinimumRate, RequestTooSlow, SYSTEM_RATE_CLOCK, UPLOAD_MINIMUM_RATE } from './http/minimum-rate';
export type { RateClock, MinimumRateOptions } from './http/minimum-rate';
export { NestLogger } from './http/nest-logger';
export { normalizedPathOf, rawPathOf, rawQueryOf } from './http/request-target';
export {
  AllowAnyQuery,
  AllowEmptyQueryParameters,
  IGNORES_UNKNOWN_QUERY,
  QueryParameters,
  StrictQueryGuard,
} from './http/query-parameters';
export { clientErrorHandler } from './http/client-errors';
export { ConnectionTracker } from './http/connection-tracker';
export { ignoreUpgrades } from './http/ignore-upgrades';
export { markApiResponsesPrivate } from './http/private-responses';
export { installBodyParsing, JsonBodyGuard, StreamedBody } from './http/request-bodies';
export { hasMultipleHostHeaders } from './http/host-headers';
export { installConnectionLimits } from './http/connection-limits';
export { requestIdOf } from './http/request-id';
export { logRequests, logUnrouted } from './http/request-log';
export { isSecureUrl } from './http/secure-url';
export { requestValidation } from './http/request-validation';
export { createCallerResolver } from './limits/caller-resolver';
export type { CallerResolver } from './limits/caller-resolver';
export { Semaphore } from './limits/semaphore';
export type { AcquireOptions, ReleasePermit, SemaphoreOptions } from './limits/semaphore';
export { TokenBucket } from './limits/token-bucket';
export type { AcquireTokenOptions, TokenBucketOptions } from './limits/token-bucket';
export { WorkPool } from './limits/work-pool';
export { JobQueue } from './jobs/job-queue';
export type { Job, JobOutages, JobQueueOptions } from './jobs/job-queue';
export { RateLimit } from './limits/rate-limit';
export { errorRecord, redacted, serializedError } from './observability/error-record';
export type { ErrorRecord } from './observability/error-record';
export { causeCodeOf, CodedFailure } from './observability/failure-cause';
export { OutageLog } from './observability/outage-log';
export type { OutageLogOptions } from './observability/outage-log';
export { problemOf } from './problems/problem-of';
export { BINARY_SCHEMA, ApiBinaryBody } from './openapi/api-binary-body';
export { ApiRequestHeaders, RESPONSE_HEADERS, responseHeaders } from './openapi/api-headers';
export { ApiProblems } from './problems/api-problems';
export { DomainError, ERROR_KINDS } from './problems/domain-error';
export type { ErrorKind } from './problems/domain-error';
export {
  CapacityUnavailable,
  DatabaseUnavailable,
  InternalError,
  InvalidRequest,
  MethodNotAllowed,
  NoRoute,
  PayloadTooLarge,
  RateLimited,
  UnsupportedMediaType,
} from './problems/platform.errors';
export { ProblemFilter, sendProblem } from './problems/problem.filter';
export { effectiveConfigurationOf } from './process/effective-configuration';
export type { EffectiveConfiguration, ConfigurationOptions } from './process/effective-configuration';
export { configOrExit } from './process/config-or-exit';
export { createLogger } from './process/create-logger';
export { stopOnSignal } from './process/stop-on-signal';
export type { ObservedOperation } from './observability/with-outage-log';
export { withOutageLog } from './observability/with-outage-log';
export { checkBucket } from './storage/check-bucket';
export { withIdleTimeout } from './storage/idle-timeout';
export { createS3Client } from './storage/s3-client';
export type { S3Options } from './storage/s3-client';
export {
  isBrokenConnection,
  isObjectNotFound,
  isPreconditionFailure,
  S3ResponseError,
  statusIn,
} from './storage/s3-errors';
export { createStorageErrors } from './storage/storage-errors';
export { RESPONSE_TIMEOUT_MS, BODY_IDLE_TIMEOUT_MS, WRITE_TIMEOUT_MS } from './storage/storage-timeouts';
export { UploadSource, observedBody } from './storage/upload-source';
export { UploadAbortController } from './storage/upload-abort-controller';
