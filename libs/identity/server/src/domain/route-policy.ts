/**
 * Who may call a route:
 * - `probe`: everybody, as often as they like; for what watches an instance.
 * - `public`: everybody.
 * - `browser`: everybody as far as the gateway goes; the route itself demands a page of ours and its session cookie.
 * - `sign-out`: as `browser`, as often as they like, because nobody may be kept from signing out.
 * - `person`: whoever has a verified token.
 * - `member`: whoever has a verified token that names an organization.
 */
export type RoutePolicy = 'probe' | 'public' | 'browser' | 'sign-out' | 'person' | 'member';

/** The policy of every route, by method and address as it is routed: `GET /api/apps/:id`. HEAD follows GET. */
export type RoutePolicies = Readonly<Record<string, RoutePolicy>>;
