import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { cookiesOf } from './session-cookies.mjs';

/** Returns the browser's installability errors; undefined when the browser cannot report them. */
export async function installability(audit) {
  return onDevice(audit, async (page) => {
    const tools = await page.context().newCDPSession(page);
    try {
      const { installabilityErrors } = await tools.send('Page.getInstallabilityErrors');
      return installabilityErrors.map(({ errorId }) => errorId);
    } catch {
      return undefined;
    }
  });
}

/** Counts how many of the start page and the file browser open without a connection. */
export async function offlineStart(audit) {
  return onDevice(audit, async (page) => {
    await page.context().setOffline(true);
    let started = 0;
    for (const [path, heading] of [
      ['/', 'Home'],
      ['/files', 'Files'],
    ]) {
      const response = await page.goto(audit.url + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      if (response?.ok()) started++;
    }
    return started;
  });
}

/**
 * Runs `use` on the loaded start page in a browser with a separate profile, as installation and offline start require.
 */
async function onDevice({ fixture, url, executablePath }, use) {
  const profile = await mkdtemp(join(tmpdir(), 'homeport-audit-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: ['--no-sandbox'] });
  try {
    await context.addCookies(await cookiesOf(fixture, url));
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    return await use(page);
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}
