/** The part of the Trusted Types API used here; TypeScript's DOM library does not have it yet. */
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/** The service worker, and the worker that reads PDF documents. */
const WORKERS = ['/ngsw-worker.js', '/vendor/pdf.worker.min.mjs'];

/**
 * Lets our workers start under Trusted Types: the libraries behind them hand their addresses over as plain strings. The
 * default policy allows those scripts of our own origin, and no other string to run anywhere.
 */
export function allowWorkers(): void {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createScriptURL: (url) => {
      const target = new URL(url, document.baseURI);
      if (target.origin === location.origin && WORKERS.includes(target.pathname)) return target.href;
      throw new TypeError('Only our own workers may be loaded by their address.');
    },
  });
}
