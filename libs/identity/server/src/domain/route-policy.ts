/**
 * The access policy of a route:
 * - `probe`: open, without a rate limit; for health probes.
 * - `public`: open.
 * - `browser`: open for the guard; the route itself requires a same-origin page and its session cookie.
 * - `sign-out`: like `browser`, without a rate limit, because sign-out must always work.
 * - `person`: requires a verified token.
 * - `member`: requires a verified token that names an organization.
 */
export type RoutePolicy = 'probe' | 'public' | 'browser' | 'sign-out' | 'person' | 'member';

/** The policy of every route, by method and route pattern: `GET /api/apps/:id`. HEAD follows GET. */
export type RoutePolicies = Readonly<Record<string, RoutePolicy>>;
