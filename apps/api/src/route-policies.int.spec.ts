import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerOf, type RoutePolicy, scopesOf } from '@homeport/identity/server';
import { referenceDocument } from './openapi/reference-document';
import { assertRoutePolicies, ROUTE_POLICIES } from './route-policies';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

interface Operation {
  readonly route: string;
  readonly security: readonly object[];
  readonly statuses: readonly string[];
}

let api: InProcessApi;
let operations: Operation[];

beforeAll(async () => {
  api = await startInProcessApi();
  const document = await referenceDocument();
  // HEAD has no separate policy, because the GET route serves it.
  operations = Object.entries(document.paths).flatMap(([path, { head: _, ...methods }]) =>
    Object.entries(methods as Record<string, { security?: object[]; responses: object }>).map(
      ([method, operation]) => ({
        // OpenAPI writes `{id}` where the router writes `:id`, and `{path}` where it writes `*`.
        route: `${method.toUpperCase()} ${path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1')}`,
        security: operation.security ?? [],
        statuses: Object.keys(operation.responses),
      }),
    ),
  );
});

afterAll(() => api?.stop());

const SECURITY = {
  probe: [],
  public: [],
  browser: [{ cookie: [] }],
  'sign-out': [{ cookie: [] }],
  person: [{ bearer: [] }],
  member: [{ bearer: [] }],
} as const;

function call(route: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const address = path.replace(':id', 'x').replace('*', 'x');
  return fetch(api.url + address, { method, headers, redirect: 'manual' });
}

describe('route policies', () => {
  it('cover exactly the operations of the OpenAPI document', () => {
    expect(operations.map(({ route }) => route).toSorted()).toEqual(Object.keys(ROUTE_POLICIES).toSorted());
  });

  it('match the security and responses in the document', () => {
    for (const { route, security, statuses } of operations) {
      const policy = ROUTE_POLICIES[route] as RoutePolicy;
      const caller = callerOf(policy);
      const tokens = scopesOf(policy).map((scope) => ({ token: [scope] }));
      expect([route, security]).toEqual([route, [...SECURITY[caller], ...tokens]]);
      expect([route, statuses.includes('429')]).toEqual([route, caller !== 'probe' && caller !== 'sign-out']);
      expect([route, statuses.includes('403')]).toEqual([route, caller !== 'probe' && caller !== 'public']);
    }
  });

  it.each(Object.entries(ROUTE_POLICIES))('are enforced for %s: %j', async (route, policy) => {
    const anonymous = await call(route);
    const caller = callerOf(policy);
    const needsToken = caller === 'person' || caller === 'member';
    expect(anonymous.status === 401).toBe(needsToken);
    if (caller !== 'member') return;
    const token = await api.issuer.token();
    const answer = await call(route, { authorization: `Bearer ${token}` });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'identity.organization-required' }),
    ]);
  });

  it.each(['/%61pi/apps', '/API/apps', '/api/apps/', '/api//apps', '/api/apps;x', '/./api/apps', '/api/%2e/apps'])(
    'cannot be bypassed with %s',
    async (path) => {
      const { status } = await fetch(api.url + path);
      expect([400, 401, 404]).toContain(status);
    },
  );

  it('must match the registered routes, otherwise the server does not start', () => {
    const routes = Object.keys(ROUTE_POLICIES);
    expect(() => assertRoutePolicies(routes)).not.toThrow();
    expect(() => assertRoutePolicies([...routes, 'GET /api/new'])).toThrow('Routes without a policy: GET /api/new.');
    expect(() => assertRoutePolicies(routes.slice(1))).toThrow(`Policies without a route: ${routes[0]}.`);
  });
});
