import type { RoutePolicies } from '@homeport/identity/server';

/** A token that changes an app or its deploys may also read them. */
const APP_READERS = ['apps:read', 'apps:write', 'deploys:write'] as const;
const DOMAIN_READERS = ['apps:read', 'domains:write'] as const;

/**
 * The access policy of every route. The server does not start when a route has no policy or a policy has no route. A
 * route that names only its caller accepts no tokens that Homeport issues.
 */
export const ROUTE_POLICIES: RoutePolicies = {
  'GET /api/apps': { caller: 'member', scopes: APP_READERS, binding: 'filtered' },
  'POST /api/apps': { caller: 'member', scopes: ['apps:write'] },
  'GET /api/apps/:id': { caller: 'member', scopes: APP_READERS, binding: 'app' },
  'DELETE /api/apps/:id': { caller: 'member', scopes: ['apps:write'], binding: 'app' },
  'POST /api/apps/:id/dns/retry': { caller: 'member', scopes: ['apps:write'], binding: 'app' },
  'GET /api/subdomains/:candidate': { caller: 'member', scopes: ['apps:read', 'apps:write'] },
  // The same for all organizations.
  'GET /api/hosting': { caller: 'member', scopes: APP_READERS, binding: 'filtered' },
  // A stream would outlive a revoked token.
  'GET /api/events': 'member',

  'POST /api/apps/:id/deploys': { caller: 'member', scopes: ['deploys:write'], binding: 'app' },
  'GET /api/apps/:id/deploys': { caller: 'member', scopes: APP_READERS, binding: 'app' },
  'POST /api/apps/:id/rollback': { caller: 'member', scopes: ['deploys:write'], binding: 'app' },
  'DELETE /api/apps/:id/aliases/:branch': { caller: 'member', scopes: ['deploys:write'], binding: 'app' },
  'GET /api/apps/:id/environment': { caller: 'member', scopes: ['environment:write'], binding: 'app' },
  'PUT /api/apps/:id/environment/:name': { caller: 'member', scopes: ['environment:write'], binding: 'app' },
  'DELETE /api/apps/:id/environment/:name': { caller: 'member', scopes: ['environment:write'], binding: 'app' },
  'GET /api/apps/:id/runtime': { caller: 'member', scopes: [...APP_READERS, 'logs:read'], binding: 'app' },
  'POST /api/apps/:id/runtime/restart': { caller: 'member', scopes: ['deploys:write'], binding: 'app' },
  // A stream ends after a minute, so it hardly outlives a revoked token.
  'GET /api/apps/:id/logs': { caller: 'member', scopes: ['logs:read'], binding: 'app' },
  'GET /api/deploys/:id': { caller: 'member', scopes: APP_READERS, binding: 'deploy' },
  'GET /api/deploys/:id/files': { caller: 'member', scopes: APP_READERS, binding: 'deploy' },
  'DELETE /api/deploys/:id': { caller: 'member', scopes: ['deploys:write'], binding: 'deploy' },
  'POST /api/deploys/:id/activate': { caller: 'member', scopes: ['deploys:write'], binding: 'deploy' },
  'PUT /api/deploys/:id/blobs/:digest': { caller: 'member', scopes: ['deploys:write'], binding: 'deploy' },
  'POST /api/deploys/:id/finish': { caller: 'member', scopes: ['deploys:write'], binding: 'deploy' },

  'GET /api/domains': { caller: 'member', scopes: DOMAIN_READERS },
  'POST /api/domains': { caller: 'member', scopes: ['domains:write'] },
  'GET /api/domains/:id': { caller: 'member', scopes: DOMAIN_READERS },
  'PATCH /api/domains/:id': { caller: 'member', scopes: ['domains:write'] },
  'POST /api/domains/:id/check': { caller: 'member', scopes: DOMAIN_READERS },
  'DELETE /api/domains/:id': { caller: 'member', scopes: ['domains:write'] },

  'GET /api/files': { caller: 'person', scopes: ['files:read'] },
  'GET /api/files/*': { caller: 'person', scopes: ['files:read'] },
  'PUT /api/files/*': { caller: 'person', scopes: ['files:write'] },
  'DELETE /api/files/*': { caller: 'person', scopes: ['files:write'] },
  'POST /api/archives': { caller: 'person', scopes: ['files:read'] },
  // The ticket is the permission.
  'GET /v1/archives/:ticket': 'public',

  'GET /api/usage': { caller: 'member', scopes: ['usage:read'] },
  'GET /api/usage/daily': { caller: 'member', scopes: ['usage:read'] },
  'POST /api/usage/events': { caller: 'member', scopes: ['usage:write'] },
  'GET /api/charges': { caller: 'member', scopes: ['usage:read'] },
  'GET /api/charges/:period': { caller: 'member', scopes: ['usage:read'] },
  'GET /api/budget': { caller: 'member', scopes: ['usage:read'] },
  // Only people decide how much an organization plans to spend.
  'PUT /api/budget': 'member',

  // Only people manage tokens and trusts: a token must not outlive itself by creating another one.
  'POST /api/tokens': 'member',
  'GET /api/tokens': 'member',
  'DELETE /api/tokens/:id': 'member',
  'POST /api/me/tokens': 'person',
  'GET /api/me/tokens': 'person',
  'DELETE /api/me/tokens/:id': 'person',
  'POST /api/apps/:id/trusts': 'member',
  'GET /api/apps/:id/trusts': 'member',
  'DELETE /api/apps/:id/trusts/:trust': 'member',
  'POST /auth/token': 'public',

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
