export { recordAudit } from './audit/audit-trail';
export type { AuditEvent } from './audit/audit-trail';
export { Audit1764000000100 } from './audit/migrations/1764000000100-audit';
export { DATABASE_VARIABLES } from './config/database-variables';
export { ConfigFaults, readEnvironment } from './config/read-environment';
export type { Environment } from './config/read-environment';
export { S3_KEY_IS_WHOLE, S3_VARIABLES, s3OptionsOf } from './config/s3-variables';
export { flag, hostname, httpUrl, list, logLevel, port, shutdownNotice, text, wholeNumber } from './config/variables';
export { databaseFor, migrate } from './database/connection';
export { Database } from './database/database';
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
export { leavingOf } from './http/leaving';
export { NestLogger } from './http/nest-logger';
export { rawPathOf, rawQueryOf } from './http/query';
export { AnyQuery, IGNORES_QUERY, QueryParameters, StrictQueries } from './http/query-parameters';
export { installBodyParsing, StreamedBody } from './http/request-bodies';
export { requestIdOf } from './http/request-id';
export { logRequests, SAFE_TYPE } from './http/request-log';
export { isSecureUrl } from './http/secure-url';
export { requestValidation } from './http/validation';
export { answerWhatIsReady } from './http/ready-answers';
export type { ReadyAnswer, ReadyRoute } from './http/ready-answers';
export { callersBehind } from './limits/callers';
export type { Callers } from './limits/callers';
export { JobQueue } from './jobs/job-queue';
export type { Job, JobQueueOptions } from './jobs/job-queue';
export { RateLimit } from './limits/rate-limit';
export { problemOf } from './problems/problem-of';
export { BYTES, BytesBody } from './openapi/describe-bytes';
export { RequestHeaders, RESPONSE_HEADERS, responseHeaders } from './openapi/describe-headers';
export { Problems } from './problems/describe-problems';
export { DomainError, ERROR_KINDS } from './problems/domain-error';
export type { ErrorKind } from './problems/domain-error';
export {
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
export { configOrExit } from './process/config-or-exit';
export { openLog } from './process/log';
export { stopOnSignal } from './process/stop-on-signal';
export { endedWhenIdle } from './storage/idle-limit';
export { clientFor } from './storage/s3-client';
export type { S3Options } from './storage/s3-client';
export { isAbsence, s3FailureKind, statusIn } from './storage/s3-errors';
export { ANSWER_LIMIT_MS, BODY_IDLE_MS, inTimeOr, WRITE_LIMIT_MS } from './storage/time-limit';
export type { LateError } from './storage/time-limit';
export { UploadSource, watchedBody } from './storage/upload-source';
export { UploadWatch } from './storage/upload-watch';
