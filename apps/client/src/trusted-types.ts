/** The part of the Trusted Types API used here; missing in TypeScript's DOM library. */
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/** The service worker and the PDF.js worker. */
const WORKERS = ['/ngsw-worker.js', '/vendor/pdf.worker.min.mjs'];

/**
 * Creates the default Trusted Types policy, because libraries start these workers with plain string URLs. The policy
 * accepts only the URLs of these scripts on the same origin.
 */
export function allowWorkers(): void {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createScriptURL: (url) => {
      const target = new URL(url, document.baseURI);
      if (target.origin === location.origin && WORKERS.includes(target.pathname)) return target.href;
      throw new TypeError('Only the known workers may be loaded by URL.');
    },
  });
}
