export type { EdgeLog } from './adapters/http/edge-log';
export { EDGE_REQUEST_LOGS, loggedResponses } from './adapters/http/logged-response';
export type { EdgeRequestLog, RequestLogOptions } from './adapters/http/logged-response';
export { PostgresSiteChangeFeed } from './adapters/postgres/postgres-site-change-feed';
export { PostgresSiteDirectory } from './adapters/postgres/postgres-site-directory';
export { Edge } from './edge';
export type { EdgeOptions } from './edge';
