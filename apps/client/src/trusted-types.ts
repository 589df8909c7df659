/** The part of the Trusted Types API used here; TypeScript's DOM library does not have it yet. */
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

const SERVICE_WORKER = '/ngsw-worker.js';

/**
 * Lets the service worker be registered under Trusted Types: Angular hands its address over as a plain string. The
 * default policy allows that one script of our own origin, and no other string to run anywhere.
 */
export function allowServiceWorker(): void {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createScriptURL: (url) => {
      const target = new URL(url, document.baseURI);
      if (target.origin === location.origin && target.pathname === SERVICE_WORKER) return target.href;
      throw new TypeError('Only the service worker may be loaded by its address.');
    },
  });
}
