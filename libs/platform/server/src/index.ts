export { recordAudit } from './audit/audit-trail';
export type { AuditEvent } from './audit/audit-trail';
export { Audit1764000000100 } from './audit/migrations/1764000000100-audit';
export { DATABASE_VARIABLES } from './config/database-variables';
export { ConfigFaults, readEnvironment } from './config/read-environment';
export type { Environment } from './config/read-environment';
export { S3_KEY_IS_WHOLE, S3_VARIABLES, s3OptionsOf } from './config/s3-variables';
export { flag, hostname, httpUrl, list, logLevel, port, shutdownNotice, text, wholeNumber } from './config/variables';
export { databaseFor, migrate } from './database/connection';
export { Database, DATABASE_OPERATION } from './database/database';
export type { DatabaseOptions } from './database/database';
export { violates } from './database/database-errors';
export { HealthModule } from './health/health.module';
export { HealthMonitor } from './health/health-monitor';
export type { HealthProbe } from './health/health-probe';
export { JSON_TYPE, sendNotModified, sendTagged } from './http/conditional';
export { Drain } from './http/drain';
export { namesTag, namesTagWeakly } from './http/entity-tags';
export { answerContinueLate, askForBody } from './http/expect-continue';
export { watchRoutes } from './http/known-routes';
export { LargeResponses } from './http/large-responses';
export { leavingOf } from './http/leaving';
export { MinimumRate, RequestTooSlow, SYSTEM_RATE_CLOCK, UPLOAD_RATE_FLOOR } from './http/minimum-rate';
export type { RateClock, RateFloor } from './http/minimum-rate';
export { NestLogger } from './http/nest-logger';
export { plainPathOf, rawPathOf, rawQueryOf } from './http/query';
export {
  AnyQuery,
  EmptyQueryParameters,
  IGNORES_UNKNOWN_QUERY,
  QueryParameters,
  StrictQueries,
} from './http/query-parameters';
export { clientErrorHandler } from './http/client-errors';
export { Connections } from './http/connections';
export { ignoreUpgrades } from './http/ignore-upgrades';
export { markApiResponsesPrivate } from './http/private-responses';
export { installBodyParsing, JsonBodies, StreamedBody } from './http/request-bodies';
export { hasMultipleHostHeaders } from './http/request-head';
export { installConnectionLimits } from './http/server-limits';
export { requestIdOf } from './http/request-id';
export { logRequests, logUnrouted, SAFE_TYPE } from './http/request-log';
export { isSecureUrl } from './http/secure-url';
export { requestValidation } from './http/validation';
export { answerWhatIsReady } from './http/ready-answers';
export type { ReadyAnswer, ReadyRoute } from './http/ready-answers';
export { callersBehind } from './limits/callers';
export type { Callers } from './limits/callers';
export { FairSemaphore } from './limits/fair-semaphore';
export type { FairSemaphoreOptions, ReturnPermit } from './limits/fair-semaphore';
export { JobQueue } from './jobs/job-queue';
export type { Job, JobOutages, JobQueueOptions } from './jobs/job-queue';
export { RateLimit } from './limits/rate-limit';
export { errorRecord, redacted, serializedError } from './observability/error-record';
export type { ErrorRecord } from './observability/error-record';
export { causeCodeOf, CodedFailure } from './observability/failure-cause';
export { OutageLog } from './observability/outage-log';
export type { OutageLogOptions } from './observability/outage-log';
export { problemOf } from './problems/problem-of';
export { BYTES, BytesBody } from './openapi/describe-bytes';
export { RequestHeaders, RESPONSE_HEADERS, responseHeaders } from './openapi/describe-headers';
export { Problems } from './problems/describe-problems';
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
export { configurationOf } from './process/configuration';
export type { Configuration, ConfigurationOptions } from './process/configuration';
export { configOrExit } from './process/config-or-exit';
export { openLog } from './process/log';
export { stopOnSignal } from './process/stop-on-signal';
export type { ObservedOperation } from './observability/with-outage-log';
export { withOutageLog } from './observability/with-outage-log';
export { checkBucket } from './storage/check-bucket';
export { endedWhenIdle } from './storage/idle-limit';
export { clientFor } from './storage/s3-client';
export type { S3Options } from './storage/s3-client';
export { isAbsence, s3FailureKind, statusIn } from './storage/s3-errors';
export { ANSWER_LIMIT_MS, BODY_IDLE_MS, inTimeOr, WRITE_LIMIT_MS } from './storage/time-limit';
export type { LateError } from './storage/time-limit';
export { UploadSource, watchedBody } from './storage/upload-source';
export { UploadWatch } from './storage/upload-watch';
