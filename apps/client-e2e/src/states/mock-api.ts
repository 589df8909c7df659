import type { Page, Route } from '@playwright/test';
import { UNAVAILABLE } from '../app-steps';
import { DOMAIN_LIST } from './domain-fixtures';
import { deploysAt, PROBLEMS, SITE_FILES } from './deploy-fixtures';
import { listingOf } from './file-listing';
import { mockServerApi } from './mock-server-api';
import type { State } from './screen-state';
import { mockUsageApi } from './usage-fixtures';
import { ORGANIZATION_TOKENS, PERSONAL_TOKENS, TRUSTS } from './token-fixtures';
import { APPS, FILES, HOSTING, JSON_TEXT, MARKDOWN, NOW, PROVIDERS, SESSION, SESSIONS } from './workspace-fixtures';

export interface MockApiOptions {
  readonly state: State;
  readonly isSignedIn: boolean;
}

type Answer = Parameters<Route['fulfill']>[0];

/** Mocks every API call for one state; the client's own files come from the server. The clock is fixed. */
export async function mockApi(page: Page, { state, isSignedIn }: MockApiOptions): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.route('**/auth/session', (route) =>
    route.fulfill(isSignedIn ? { json: SESSION } : { status: 401, json: {} }),
  );
  const answer = (full: (url: URL) => Answer, empty: (url: URL) => Answer) => (route: Route) => {
    const url = new URL(route.request().url());
    // No response, so the page keeps loading.
    if (state === 'loading') return undefined;
    if (state === 'failed') return route.fulfill(UNAVAILABLE);
    return route.fulfill(state === 'empty' ? empty(url) : full(url));
  };
  await page.route('**/auth/providers', answer(json(PROVIDERS), json([])));
  await page.route('**/auth/sessions', answer(json(SESSIONS), json({ items: SESSIONS.items.slice(0, 1) })));
  await page.route('**/v1/pricing', (route) =>
    state === 'loading' ? undefined : state === 'failed' ? route.fulfill(UNAVAILABLE) : route.continue(),
  );
  await page.route(/\/api\/files(\?.*)?$/, answer(listing(FILES), listing([])));
  await page.route(/\/api\/files\/.+/, answer(content, emptyFile));
  await page.route(/\/api\/apps(\?.*)?$/, answer(pageOf(APPS), pageOf([])));
  await page.route(/\/api\/apps\/.+/, answer(json(APPS[2] ?? {}), json({ ...APPS[1], dns_status: 'dns-active' })));
  await page.route(/\/api\/apps\/[^/]+\/deploys/, answer(pageOf(deploysAt(NOW)), pageOf([])));
  await page.route(/\/api\/apps\/[^/]+\/trusts/, answer(pageOf(TRUSTS), pageOf([])));
  await page.route('**/api/tokens', answer(pageOf(ORGANIZATION_TOKENS), pageOf([])));
  await page.route('**/api/me/tokens', answer(pageOf(PERSONAL_TOKENS), pageOf([])));
  await page.route(/\/api\/deploys\/.+/, answer(deployDetails, deployDetails));
  await page.route(/\/api\/domains(\?.*)?$/, answer(domainList, json({ ...DOMAIN_LIST, items: [] })));
  await page.route(/\/api\/domains\/.+/, answer(domainDetails, domainDetails));
  await mockServerApi(page, state);
  await mockUsageApi(page, state);
  await page.route('**/api/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }));
  await page.route('**/api/subdomains/*', (route) => route.fulfill({ json: { available: true, reason: null } }));
  await page.route('**/api/hosting', (route) => route.fulfill({ json: HOSTING }));
}

const json = (body: unknown) => (): Answer => ({ json: body });
const pageOf = (items: readonly object[]) => json({ items, next_cursor: null });

function deployDetails({ pathname }: URL): Answer {
  const deploys = deploysAt(NOW);
  const deploy = deploys.find(({ id }) => pathname.endsWith(id));
  const [, live, , former] = deploys;
  const rolls_back_to = deploy === live ? former : null;
  return { json: { ...deploy, rolls_back_to, files: SITE_FILES, files_next_cursor: null, problems: PROBLEMS } };
}

function domainList({ searchParams }: URL): Answer {
  const items = DOMAIN_LIST.items.filter(({ kind }) => kind === 'hostname' || !searchParams.has('app_id'));
  return { json: { ...DOMAIN_LIST, items } };
}

function domainDetails({ pathname }: URL): Answer {
  return { json: DOMAIN_LIST.items.find(({ id }) => pathname.includes(id)) };
}

const listing = (items: typeof FILES) => (url: URL) => ({ json: listingOf(items, url) });

const facts = { etag: '"00000000000000000000000000004812"', 'last-modified': NOW.toUTCString() };

function content(url: URL): Answer {
  const isJson = url.pathname.endsWith('.json');
  const headers = { ...facts, 'content-type': isJson ? 'application/json' : 'text/markdown' };
  return { headers, body: isJson ? JSON_TEXT : MARKDOWN };
}

function emptyFile(): Answer {
  return { headers: { ...facts, 'content-type': 'text/markdown' }, body: '' };
}
