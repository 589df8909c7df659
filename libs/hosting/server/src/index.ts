export type { EdgeLog } from './routing/adapters/http/edge-log';
export { EDGE_REQUEST_LOGS, loggedResponses } from './routing/adapters/http/logged-response';
export type { EdgeRequestLog, RequestLogOptions } from './routing/adapters/http/logged-response';
export { PostgresSiteChangeFeed } from './routing/adapters/postgres/postgres-site-change-feed';
export { PostgresSiteDirectory } from './routing/adapters/postgres/postgres-site-directory';
export { Edge } from './edge';
export type { EdgeOptions } from './edge';
