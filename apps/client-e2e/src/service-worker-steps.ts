import { expect, type Page } from '@playwright/test';

interface Manifest {
  readonly assetGroups: readonly { readonly installMode: string; readonly urls: readonly string[] }[];
}

/**
 * Waits until the service worker controls the page and has cached every file that it fetches in advance. Offline
 * earlier, it would count its version as broken and answer the next page with an empty 504.
 */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // `waitForFunction` takes the promise of an async function for a result and would not wait.
  await expect.poll(() => missingFiles(page)).toEqual([]);
}

function missingFiles(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const manifest = (await (await fetch('/ngsw.json')).json()) as Manifest;
    const held = new Set<string>();
    for (const name of await caches.keys()) {
      for (const { url: address } of await (await caches.open(name)).keys()) held.add(new URL(address).pathname);
    }
    return manifest.assetGroups
      .filter(({ installMode }) => installMode === 'prefetch')
      .flatMap(({ urls }) => urls.filter((path) => !held.has(path)));
  });
}
