import type { Page } from '@playwright/test';

/** The chunks that an offline start needs. */
const PARTS = ['/main-', '/dashboard-', '/file-browser-', '/file-viewer-', '/settings-', '/storage-card-'];

/** Waits until the service worker controls the page and has cached the chunks for an offline start. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.waitForFunction(async (parts) => {
    const held: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url: address } of await (await caches.open(name)).keys()) held.push(new URL(address).pathname);
    }
    return parts.every((part) => held.some((path) => path.startsWith(part)));
  }, PARTS);
}
