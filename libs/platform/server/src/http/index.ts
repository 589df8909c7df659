export { abortSignalFor } from './abort-signal-for';
export { clientErrorHandler } from './client-errors';
export { sendNotModified, sendWithETag } from './conditional-responses';
export { installConnectionLimits } from './connection-limits';
export { HealthModule } from './health/health.module';
export { LargeResponses } from './large-responses';
export { nameTraces } from './name-traces';
export { NestLogger } from './nest-logger';
export { ApiBinaryBody, BINARY_SCHEMA } from './openapi/api-binary-body';
export { ApiJsonBodyAlternative, JSON_BODY_ALTERNATIVE } from './openapi/api-json-body-alternative';
export { ApiRequestHeaders, RESPONSE_HEADERS, responseHeaders } from './openapi/api-headers';
export { markApiResponsesPrivate } from './private-responses';
export { ApiProblems, problemContent } from './problems/api-problems';
export { ProblemFilter, sendProblem } from './problems/problem.filter';
export {
  AllowAnyQuery,
  AllowEmptyQueryParameters,
  IGNORES_UNKNOWN_QUERY,
  QueryParameters,
  StrictQueryGuard,
} from './query-parameters';
export { FormBody, JsonBody, JsonBodyGuard, StreamedBody, installBodyParsing } from './request-bodies';
export { logRequests, logUnrouted } from './request-log';
export { requestValidation } from './request-validation';
export { measureRequests } from './request-metrics';
export type { MeasuredRequest } from './request-metrics';
export { collectRoutes } from './route-table';
export { requireHttps } from './strict-transport';
