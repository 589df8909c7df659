import { expect, type Page } from '@playwright/test';
import { CRASH_LOOP, SSR_APP, SSR_APP_ID } from './server-fixtures';
import { showDeploys } from './deploy-actions';

export async function crashLoop(page: Page): Promise<void> {
  const runtime = { state: 'crash-loop', instances: 1, reason: CRASH_LOOP.reason };
  await page.route(`**/api/apps/${SSR_APP_ID}`, (route) => route.fulfill({ json: { ...SSR_APP, runtime } }));
  await page.route(`**/api/apps/${SSR_APP_ID}/runtime`, (route) => route.fulfill({ json: CRASH_LOOP }));
  await page.reload();
}

export async function restartDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

/** Opens the log of the deploy that did not start. */
export async function startLog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await showDeploys(page);
}

export async function logSearch(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('200 in');
}

/** Pastes a text into the focused field. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** Fills many variables in at once, two of them with an error. */
export async function filledForm(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).first().focus();
  await pasteText(page, 'SENTRY_DSN=https://key@errors.example/7\nPORT=3000\npublicUrl="https://booking.example"\n');
  await page.getByRole('button', { name: 'Save and restart' }).click();
}
