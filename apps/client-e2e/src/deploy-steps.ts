import { zipSync } from 'fflate';
import { expect, type Locator, type Page } from '@playwright/test';

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** An archive for the file picker. */
export function archiveOf(bytes: Uint8Array): ChosenFile {
  return { name: 'site.zip', mimeType: 'application/zip', buffer: Buffer.from(bytes) };
}

/** A site of one page. */
export const SITE_ZIP = archiveOf(zipSync({ 'index.html': new TextEncoder().encode('<h1>Hello</h1>') }));

/** The rows of the table of deploys. */
export function deployRows(page: Page): Locator {
  return page.locator('hp-deploy-row');
}

/** Chooses an action in the menu of a deploy. */
export async function chooseAction(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions for / }).click();
  await row.page().getByRole('menuitem', { name, exact: true }).click();
}

/** Opens the dialog that asks for a site, unless the page of an app without deploys asks for it already. */
export async function askForSite(page: Page): Promise<void> {
  const question = page.getByRole('button', { name: 'Choose archive' });
  await expect(question.or(deployRows(page)).first()).toBeVisible();
  if (!(await question.isVisible())) await page.getByRole('button', { name: 'Deploy', exact: true }).click();
}

/** Picks an archive with the "Choose archive" button. */
export async function chooseArchive(page: Page, archive: ChosenFile = SITE_ZIP): Promise<void> {
  await askForSite(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose archive' }).click();
  await (await chooser).setFiles(archive);
}

export interface MockUploadProgress {
  /** Reported upload progress of every body, from 0 to 1. */
  readonly share: number;
  /** Reported size of every body, in bytes. */
  readonly size?: number;
  /** Whether the body is really sent afterwards; otherwise no response ever arrives. */
  readonly thenSend?: boolean;
}

/** Fakes the upload progress, so that tests do not depend on the speed of the machine. */
export async function mockUploadProgress(page: Page, sending: MockUploadProgress): Promise<void> {
  await page.evaluate(({ share, size, thenSend }) => {
    const { send } = XMLHttpRequest.prototype;
    if (size !== undefined) Object.defineProperty(Blob.prototype, 'size', { get: () => size });
    XMLHttpRequest.prototype.send = function (body) {
      const total = body instanceof Blob ? body.size : 0;
      const progress = { lengthComputable: true, loaded: total * share, total };
      this.upload.dispatchEvent(new ProgressEvent('progress', progress));
      if (thenSend) send.call(this, body);
    };
  }, sending);
}
