import { zipSync } from 'fflate';
import type { Page } from '@playwright/test';

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** An archive as somebody would choose it. */
export function archiveOf(bytes: Uint8Array): ChosenFile {
  return { name: 'site.zip', mimeType: 'application/zip', buffer: Buffer.from(bytes) };
}

/** A site of one page. */
export const SITE_ZIP = archiveOf(zipSync({ 'index.html': new TextEncoder().encode('<h1>Hello</h1>') }));

/** Chooses an archive with the button that is there for it. */
export async function chooseArchive(page: Page, archive: ChosenFile = SITE_ZIP): Promise<void> {
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose archive' }).click();
  await (await asked).setFiles(archive);
}

export interface MockUploadProgress {
  /** How much of every body has left the device, from 0 to 1. */
  readonly share: number;
  /** As what size bodies are told of. */
  readonly size?: number;
  /** Whether it is really sent afterwards; else nobody ever answers. */
  readonly thenSend?: boolean;
}

/** Tells the page how far its uploads are: how fast a test machine sends is nobody's business. */
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
