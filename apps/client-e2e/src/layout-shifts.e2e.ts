import { expect, type Page, test } from '@playwright/test';
import { signedInAt } from './app-steps';
import { putFiles } from './file-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

const PERSON = 'fay';

interface Shifts {
  readonly total: number;
  readonly moved: readonly string[];
}

declare global {
  interface Window {
    shiftsSeen?: Shifts;
  }
}

/** Sums up the layout shifts that the browser reports. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Element | null }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const { total, moved } = window.shiftsSeen ?? { total: 0, moved: [] };
        const nodes = entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className}`);
        window.shiftsSeen = { total: total + entry.value, moved: [...moved, ...nodes] };
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

function shiftsOf(page: Page): Promise<Shifts> {
  return page.evaluate(() => window.shiftsSeen ?? { total: 0, moved: [] });
}

/** @param shown selector that must be visible before the page counts as complete. */
async function expectNothingMoves(page: Page, path: string, shown = 'h1'): Promise<void> {
  await page.goto(url + path);
  await expect(page.locator(shown).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const { total, moved } = await shiftsOf(page);
  expect(total, `${path}: ${moved.join(', ')}`).toBeLessThanOrEqual(0.02);
}

test.use({ serviceWorkers: 'allow' });

test('no page shifts its layout while loading, on the first and later visits', async ({ page }) => {
  await watchShifts(page);
  for (const path of ['/login', '/signin', '/pricing', '/no/such/page']) await expectNothingMoves(page, path);
  await signedInAt(page, '/pricing', PERSON);
  await expect(page.getByRole('button', { name: 'Account of Fay Oduya' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect((await shiftsOf(page)).total).toBeLessThanOrEqual(0.02);
  await putFiles(page, { 'still/still.md': '# Still' });
  for (const path of ['/', '/files', '/files/still', '/apps', '/pricing', '/settings', '/settings/storage']) {
    await expectNothingMoves(page, path);
  }
});

test('syntax highlighting does not shift a text', { tag: SUITE_TAG }, async ({ page }) => {
  await watchShifts(page);
  await signedInAt(page, '/settings', PERSON);
  await expect(page.getByRole('button', { name: 'Account of Fay Oduya' })).toBeVisible();
  await putFiles(page, {
    'still/still.md': '# Still',
    'still/still.ts': 'const answer: number = 42;\n'.repeat(100),
    'still/still.json': JSON.stringify(Array.from({ length: 100 }, (_, index) => ({ index, name: `name ${index}` }))),
  });
  for (const [path, colour] of [
    ['/view/still/still.md', '.prose h1'],
    ['/view/still/still.ts', '.tok-keyword'],
    ['/view/still/still.json', '.tok-number'],
    ['/edit/still/still.ts', '.cm-line span'],
    ['/edit/still/still.json', '.cm-line span'],
  ] as const) {
    await expectNothingMoves(page, path, colour);
  }
});
