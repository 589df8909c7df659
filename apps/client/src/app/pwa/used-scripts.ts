/**
 * Requests the scripts of this page again when the service worker takes control of it. The worker then caches those
 * that it does not download in advance, such as the language of the user: the first visit is enough to start offline.
 */
export function cacheUsedScripts(workers: ServiceWorkerContainer): void {
  workers.addEventListener('controllerchange', () => {
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => isOwnScript(name));
    // The next page caches what fails here.
    for (const { name } of scripts) void fetch(name).catch(() => undefined);
  });
}

function isOwnScript(address: string): boolean {
  const { origin, pathname } = new URL(address);
  return origin === location.origin && /^\/[^/]+\.js$/.test(pathname);
}
