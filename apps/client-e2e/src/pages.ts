import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const services = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as Record<string, string>;

export const url = services['PUBLIC_URL'] as string;
export const dnsPort = Number(services['DNS_PORT']);

/**
 * The question whether there is a session, answered with no; and the policy stopping an inline handler of a hostile
 * Markdown file while it is being sanitised, which is the policy at work.
 */
const EXPECTED = /the server responded with a status of 401|^Executing inline event handler violates/;

/** Fails the test on anything the page itself complains about: a script error, a refused policy, a failed load. */
export function collectPageErrors(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** What a theme can change; everything else is the same in both. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Nothing that axe knows is wrong, in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Without other frames there is nothing to put together in a page of its own, which costs more than the looking.
    const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
    const { violations } = await (colorScheme === 'dark' ? axe : axe.withRules(COLOUR_RULES)).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`);
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
  }
}

/** Nothing sticks out at the side. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Goes through the hosted page, as a person would. */
export async function signIn(page: Page, provider: RegExp, person: RegExp): Promise<void> {
  await page.getByRole('link', { name: provider }).click();
  await page.getByRole('button', { name: person }).click();
}
