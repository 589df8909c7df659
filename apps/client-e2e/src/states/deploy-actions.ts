import { expect, type Page } from '@playwright/test';
import { UNAVAILABLE } from '../app-steps';
import { chooseArchive, mockUploadProgress } from '../deploy-steps';
import { deploysAt, NO_START_PAGE, PROBLEMS, REJECTED } from './deploy-fixtures';
import { NOW } from './workspace-fixtures';

const SIZE = 5_033_165;

/** Requests that upload a deploy. */
const UPLOADS = /\/deploys\?activate=/;

/** Scrolls to the table of deploys. */
export async function showDeploys(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Deploys' }).evaluate((heading) => {
    heading.scrollIntoView();
    // Below the sticky top bar.
    scrollBy(0, -64);
  });
}

export async function uploading(page: Page): Promise<void> {
  await mockUploadProgress(page, { share: 0.42, size: SIZE });
  await chooseArchive(page);
  await expect(page.getByText('2.0 MiB of 4.8 MiB')).toBeVisible();
  await showDeploys(page);
}

export async function processing(page: Page): Promise<void> {
  await mockUploadProgress(page, { share: 1, size: SIZE });
  await chooseArchive(page);
  await showDeploys(page);
}

export async function heldBack(page: Page): Promise<void> {
  const [, , , deploy] = deploysAt(NOW);
  const held = { ...deploy, id: '00000000-0000-4000-8000-000000000110', first_live_at: null, held_back: true };
  const details = { ...held, rolls_back_to: null, files: [], files_next_cursor: null, problems: [NO_START_PAGE] };
  await page.route(UPLOADS, (route) => route.fulfill({ status: 201, json: held }));
  await page.route(`**/api/deploys/${held.id}`, (route) => route.fulfill({ json: details }));
  await chooseArchive(page);
  await expect(page.getByText('No index.html found.')).toBeVisible();
  await showDeploys(page);
}

export async function rejected(page: Page): Promise<void> {
  const body = JSON.stringify(REJECTED);
  await page.route(UPLOADS, (route) => route.fulfill({ status: 422, contentType: 'application/problem+json', body }));
  await chooseArchive(page);
  await expect(page.getByText('Links cannot be deployed.').first()).toBeVisible();
  await showDeploys(page);
}

export async function problemsShown(page: Page): Promise<void> {
  await page.locator('hp-deploy-problem-list').getByText(`${PROBLEMS.length} problems`).click();
  await showDeploys(page);
}

export async function historyUnavailable(page: Page): Promise<void> {
  await page.route(/\/api\/apps\/[^/]+\/deploys/, (route) => route.fulfill(UNAVAILABLE));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Deploys' })).toBeVisible();
  await showDeploys(page);
}

export async function deployDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}
