import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { isFull } from './suites';

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

/** Without details of the rules that a page meets, and without loading its style sheets again. */
const AXE_OPTIONS = { resultTypes: ['violations' as const], preload: false };

/** Half the size of the script that the builder would send with each check. */
const AXE_SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Loads axe once for each document: the builder would send and compile it twice for each check. */
async function axeFor(page: Page): Promise<AxeBuilder> {
  // Frames need axe too, and the mode that can analyze them.
  if (page.frames().length > 1) return new AxeBuilder({ page, axeSource: AXE_SCRIPT }).options(AXE_OPTIONS);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SCRIPT);
  return new AxeBuilder({ page, axeSource: 'axe.version' }).options(AXE_OPTIONS).setLegacyMode();
}

/** The axe rules that depend on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The themes of the client, for pages that are checked in all of them. */
export const THEMES: readonly ('light' | 'dark')[] = ['light', 'dark'];

/**
 * Expects no axe violations: in the dark theme, and in the full suite also in the light one.
 * @param themes the last one is checked by all rules, the others by the rules that depend on the theme.
 */
export async function expectAccessible(page: Page, themes = isFull ? THEMES : THEMES.slice(-1)): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const axe = await axeFor(page);
    const { violations } = await (colorScheme === themes.at(-1) ? axe : axe.withRules(COLOUR_RULES)).analyze();
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
