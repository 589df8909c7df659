import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { rawPathOf } from '@homeport/kernel';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import type { ClientConnectionResolver } from '@homeport/platform/server/network';
import { parseHost } from '../../../routing/adapters/http/edge-host';
import { effectiveTarget } from '../../../routing/adapters/http/edge-request';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import type { CertificateCache } from '../../application/certificate-cache';

const HEALTH_CHECK = /^\/health\/(?:live|ready)$/;

export interface HttpsRedirectOptions {
  readonly hostnames: SiteHostnames;
  readonly certificates: Pick<CertificateCache<object>, 'find'>;
  readonly connectionOf: ClientConnectionResolver;
  /** The port that the server listens on for TLS. */
  readonly tlsPort: () => number;
}

/**
 * Redirects requests by plain HTTP to https at hosts with a certificate.
 * @param handle receives the other requests: health checks, and those that a trusted proxy received by https.
 */
export function redirectingToHttps(options: HttpsRedirectOptions, handle: RequestListener): RequestListener {
  const { hostnames, certificates, connectionOf, tlsPort } = options;
  return (request, response) => {
    const { host = '', target } = effectiveTarget(request);
    const parsed = parseHost(host, hostnames);
    // Browsers treat localhost as secure, and App.url is plain there.
    if (parsed?.kind !== 'site' || parsed.hostname.endsWith('.localhost') || HEALTH_CHECK.test(rawPathOf(target)))
      return handle(request, response);
    if (connectionOf(request).isEncrypted) return handle(request, response);
    const answer = (hasCertificate: boolean) => {
      if (!hasCertificate) return handle(request, response);
      // A visitor who named a port reaches the server at its own ports, and otherwise at the usual ones.
      const port = /:\d+$/.test(host) ? `:${tlsPort()}` : '';
      redirect(`https://${parsed.hostname}${port}${target.startsWith('/') ? target : '/'}`, request, response);
    };
    const entry = certificates.find(parsed.hostname);
    if (!(entry instanceof Promise)) return answer(entry.isKnown);
    // Sites that are cached are served while PostgreSQL is unavailable.
    entry.then(
      ({ isKnown }) => answer(isKnown),
      () => handle(request, response),
    );
  };
}

function redirect(location: string, request: IncomingMessage, response: ServerResponse): void {
  const headers = ['Location', location, 'X-Content-Type-Options', 'nosniff'];
  headers.push('Cache-Control', 'public, max-age=0, must-revalidate', 'Content-Length', '0');
  sendBuffered(request, response, { status: 308, headers, body: undefined });
}
