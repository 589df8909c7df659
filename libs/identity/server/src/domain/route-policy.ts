import type { Scope } from '@homeport/identity/contracts';

/**
 * Who may call a route:
 * - `probe`: open, without a rate limit; for health probes.
 * - `public`: open.
 * - `browser`: open for the guard; the route itself requires a same-origin page and its session cookie.
 * - `sign-out`: like `browser`, without a rate limit, because sign-out must always work.
 * - `person`: requires a verified token.
 * - `member`: requires a verified token that names an organization.
 */
export type Caller = 'probe' | 'public' | 'browser' | 'sign-out' | 'person' | 'member';

/** A route that also accepts the tokens that Homeport issues. */
export interface TokenPolicy {
  readonly caller: 'person' | 'member';
  /** One of them is enough. */
  readonly scopes: readonly Scope[];
  /**
   * What a token that is bound to one app may reach:
   * - `app`: `:id` is the id of an app. Other apps are hidden.
   * - `deploy`: `:id` is the id of a deploy. Deploys of other apps are hidden.
   * - `filtered`: the route itself limits its answer to the app.
   * - absent: the route concerns the whole organization and rejects such tokens.
   */
  readonly binding?: 'app' | 'deploy' | 'filtered';
}

/** The access policy of a route. A route that names only its caller accepts no tokens that Homeport issues. */
export type RoutePolicy = Caller | TokenPolicy;

/** The policy of every route, by method and route pattern: `GET /api/apps/:id`. HEAD follows GET. */
export type RoutePolicies = Readonly<Record<string, RoutePolicy>>;

export function callerOf(policy: RoutePolicy): Caller {
  return typeof policy === 'string' ? policy : policy.caller;
}

/** The routes whose calls create what lasts, and count against the shared limit of their organization or person. */
const CREATIONS: ReadonlySet<string> = new Set([
  'POST /api/apps',
  'POST /api/domains',
  'POST /api/tokens',
  'POST /api/me/tokens',
  'POST /api/apps/:id/trusts',
]);

/** @param route method and route pattern. */
export function isCreation(route: string): boolean {
  return CREATIONS.has(route);
}

/** The scopes that a route accepts; empty for a route that accepts no tokens that Homeport issues. */
export function scopesOf(policy: RoutePolicy): readonly Scope[] {
  return typeof policy === 'string' ? [] : policy.scopes;
}
