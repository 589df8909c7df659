import type { RoutePolicies } from '@homeport/identity/server';

/** The access policy of every route. The server does not start when a route has no policy or a policy has no route. */
export const ROUTE_POLICIES: RoutePolicies = {
  'GET /api/apps': 'member',
  'POST /api/apps': 'member',
  'GET /api/apps/:id': 'member',
  'DELETE /api/apps/:id': 'member',
  'POST /api/apps/:id/dns/retry': 'member',
  'GET /api/subdomains/:candidate': 'member',
  'GET /api/hosting': 'member',
  'GET /api/events': 'member',

  'POST /api/apps/:id/deploys': 'member',
  'GET /api/apps/:id/deploys': 'member',
  'POST /api/apps/:id/rollback': 'member',
  'GET /api/deploys/:id': 'member',
  'GET /api/deploys/:id/files': 'member',
  'DELETE /api/deploys/:id': 'member',
  'POST /api/deploys/:id/activate': 'member',

  'GET /api/files': 'person',
  'GET /api/files/*': 'person',
  'PUT /api/files/*': 'person',
  'DELETE /api/files/*': 'person',
  'POST /api/archives': 'person',
  // The ticket is the permission.
  'GET /v1/archives/:ticket': 'public',

  'GET /.well-known/oauth-protected-resource': 'public',
  'GET /auth/providers': 'public',
  'GET /auth/sign-in': 'public',
  'GET /auth/callback': 'public',
  'GET /auth/session': 'browser',
  'GET /auth/sessions': 'browser',
  'DELETE /auth/sessions': 'sign-out',
  'DELETE /auth/sessions/:id': 'browser',
  'POST /auth/sign-out': 'sign-out',

  'GET /v1/pricing': 'public',
  'GET /v1/pricing/schema': 'public',
  'GET /v1/pricing/versions': 'public',
  'GET /v1/pricing/versions/:version': 'public',
  'POST /v1/pricing/estimate': 'public',

  'GET /health/live': 'probe',
  'GET /health/ready': 'probe',
};

/** @param routes the names of all controller routes. @throws {Error} when they do not match `ROUTE_POLICIES`. */
export function assertRoutePolicies(routes: readonly string[]): void {
  const missing = routes.filter((route) => !Object.hasOwn(ROUTE_POLICIES, route));
  const stale = Object.keys(ROUTE_POLICIES).filter((route) => !routes.includes(route));
  if (missing.length === 0 && stale.length === 0) return;
  throw new Error(
    `Routes without a policy: ${missing.join(', ') || 'none'}. Policies without a route: ${stale.join(', ') || 'none'}.`,
  );
}
