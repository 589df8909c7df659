import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const services = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as Record<string, string>;

export const url = services['PUBLIC_URL'] as string;
export const dnsPort = Number(services['DNS_PORT']);

/**
 * Console messages that are expected: the 401 response for a missing session, and the CSP that blocks an inline handler
 * of a hostile Markdown file during its sanitization.
 */
const EXPECTED = /the server responded with a status of 401|^Executing inline event handler violates/;

/** Collects script errors, CSP violations and failed loads that the page reports. */
export function collectPageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) errors.push(message.text());
  });
  return errors;
}

/** The axe rules that depend on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Expects no axe violations in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Legacy mode is cheaper, but cannot analyze child frames.
    const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
    const { violations } = await (colorScheme === 'dark' ? axe : axe.withRules(COLOUR_RULES)).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`);
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
  }
}

/** Expects that the page does not scroll horizontally. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Signs in through the page of the identity provider. */
export async function signIn(page: Page, provider: RegExp, person: RegExp): Promise<void> {
  await page.getByRole('link', { name: provider }).click();
  await page.getByRole('button', { name: person }).click();
}
