const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/**
 * Response headers that concern one response or its page. This is an allow list, because proxies and CDNs act on
 * vendor-specific headers and strip them. Excluded on purpose: headers that frame the message or that the server sets
 * (`ETag`, `Vary`), that instruct a proxy (`Surrogate-Control`, `CDN-Cache-Control`), and that browsers remember for a
 * host beyond its owner (`Alt-Svc`, `NEL`, `Report-To`, `Set-Cookie`, `Clear-Site-Data`).
 */
const ALLOWED = new Set(
  `accept-ch access-control-allow-credentials access-control-allow-headers access-control-allow-methods
   access-control-allow-origin access-control-allow-private-network access-control-expose-headers access-control-max-age
   attribution-reporting-register-source attribution-reporting-register-trigger cache-control content-disposition
   content-language content-security-policy content-security-policy-report-only content-type critical-ch
   cross-origin-embedder-policy cross-origin-embedder-policy-report-only cross-origin-opener-policy
   cross-origin-opener-policy-report-only cross-origin-resource-policy deprecation document-policy
   document-policy-report-only feature-policy integrity-policy integrity-policy-report-only link no-vary-search
   observe-browsing-topics onion-location origin-agent-cluster permissions-policy permissions-policy-report-only pragma
   referrer-policy refresh reporting-endpoints require-document-policy server-timing service-worker-allowed sourcemap
   speculation-rules strict-transport-security sunset supports-loading-mode timing-allow-origin`.split(/\s+/),
);

/** Prefixes of `X-…` headers that proxies, CDNs, caches and load balancers act on, also with a version: `X-Sendfile2`. */
const PROXY_FAMILIES =
  `accel akamai amz amzn apache ats azure ban bunny cache cacheable cdn cf cloud edge envoy esi fastly
   forwarded google goog grace haproxy http-method http2-push internal-redirect litespeed lighttpd lscache lsadc ms nf
   nginx offload openresty original pagespeed passenger proxy purge real-ip reproxy request-id rewrite send-file sendfile
   served-by surrogate traefik traffic ttl upstream uwsgi varnish vercel via xkey`.split(/\s+/);
const PROXY_HEADER = new RegExp(`^x-(?:${PROXY_FAMILIES.join('|')})\\d*(?:-|$)`);
/** Headers that the edge sets. */
const EDGE_HEADERS = new Set(['x-content-type-options', 'x-deploy-id']);

/**
 * Checks a header that a site wants to set. Custom headers begin with `X-`.
 * @param name in lower case.
 * @returns why the header is rejected; undefined when it is allowed.
 */
export function headerFault(name: string, value: string): string | undefined {
  if (!TOKEN.test(name)) return 'The name has characters that are not allowed in a header.';
  if (name === 'basic-auth') return 'Passwords for pages are not supported.';
  if (!isAllowed(name)) return `An app cannot set the header "${name}". Custom headers begin with "X-".`;
  return VALUE.test(value) ? undefined : 'The value is empty, or has characters that are not allowed in a header.';
}

function isAllowed(name: string): boolean {
  if (!name.startsWith('x-')) return ALLOWED.has(name);
  // Servers that pass headers on as variables treat "_" as "-".
  const normalized = name.replaceAll(/[^a-z0-9]/g, '-');
  return !EDGE_HEADERS.has(normalized) && !PROXY_HEADER.test(normalized);
}
