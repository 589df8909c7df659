import { zipSync } from 'fflate';
import { expect, type Page } from '@playwright/test';
import { UNAVAILABLE } from '../app-steps';
import { PROBLEMS, REJECTED } from './deploys';

/** A site in an archive, as somebody would choose it. */
export const SITE_ZIP = {
  name: 'site.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(zipSync({ 'index.html': new TextEncoder().encode('<h1>Hello</h1>') })),
};

/** What there is to see of deploys, at the top of the screen. */
export async function showDeploys(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Deploys' }).evaluate((section) => section.scrollIntoView());
}

/** Chooses an archive with the button that is there for it. */
export async function chooseArchive(page: Page, archive = SITE_ZIP): Promise<void> {
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose archive' }).click();
  await (await asked).setFiles(archive);
}

/** As if so much of every body had left this device, and the server were silent. */
async function sendOnly(page: Page, share: number): Promise<void> {
  await page.evaluate((sent) => {
    XMLHttpRequest.prototype.send = function () {
      const [loaded, total] = [4_812_000 * sent, 4_812_000];
      this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total }));
    };
    Object.defineProperty(Blob.prototype, 'size', { get: () => 4_812_000 });
  }, share);
}

export async function uploading(page: Page): Promise<void> {
  await sendOnly(page, 0.42);
  await chooseArchive(page);
  await expect(page.getByText('2.0 MB of 4.8 MB')).toBeVisible();
  await showDeploys(page);
}

export async function processing(page: Page): Promise<void> {
  await sendOnly(page, 1);
  await chooseArchive(page);
  await showDeploys(page);
}

export async function rejected(page: Page): Promise<void> {
  const body = JSON.stringify(REJECTED);
  await page.route('**/deploys', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 422, contentType: 'application/problem+json', body })
      : route.fallback(),
  );
  await chooseArchive(page);
  await expect(page.getByText('Links cannot be deployed.').first()).toBeVisible();
  await showDeploys(page);
}

export async function problemsOpen(page: Page): Promise<void> {
  await page.getByText(`${PROBLEMS.length} problems found`).click();
  await showDeploys(page);
}

export async function historyAway(page: Page): Promise<void> {
  await page.route(/\/api\/apps\/[^/]+\/deploys/, (route) => route.fulfill(UNAVAILABLE));
  await page.reload();
  await showDeploys(page);
}
