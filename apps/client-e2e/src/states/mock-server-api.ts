import type { Page, Route } from '@playwright/test';
import { UNAVAILABLE } from '../app-steps';
import type { State } from './screen-state';
import { eventStream, LOG, RUNTIME, SSR_APP, SSR_APP_ID, SSR_DEPLOYS, VARIABLES } from './server-fixtures';

/** Mocks the calls of an SSR app. The app itself always loads: its pages have the state. */
export async function mockServerApi(page: Page, state: State): Promise<void> {
  const answer = (full: object, empty: object) => (route: Route) => {
    if (state === 'loading') return undefined;
    if (state === 'failed') return route.fulfill(UNAVAILABLE);
    return route.fulfill({ json: state === 'empty' ? empty : full });
  };
  const list = (items: readonly object[]) => ({ items, next_cursor: null });
  const app = `/api/apps/${SSR_APP_ID}`;
  await page.route(/\/api\/apps\/[^/]+\/runtime/, answer(RUNTIME, { ...RUNTIME, state: 'none', instances: [] }));
  await page.route(`**${app}`, (route) => route.fulfill({ json: SSR_APP }));
  await page.route(`**${app}/deploys?*`, answer(list(SSR_DEPLOYS), list([])));
  await page.route(`**${app}/environment`, answer(list(VARIABLES), list([])));
  await page.route(`**${app}/logs?*`, answer(list(LOG), list([])));
  await page.route(`**${app}/logs`, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: eventStream([]) }),
  );
}
