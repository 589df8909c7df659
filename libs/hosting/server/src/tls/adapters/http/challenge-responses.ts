import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { rawPathOf } from '@homeport/kernel';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import { parseHost } from '../../../routing/adapters/http/edge-host';
import { effectiveTarget } from '../../../routing/adapters/http/edge-request';
import { renderErrorPage, UNAVAILABLE } from '../../../routing/adapters/http/error-pages';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import type { CertificateDirectory } from '../../application/certificate-directory.port';

const PATH = /^\/\.well-known\/acme-challenge\/([\w-]{1,256})$/;

export interface ChallengeOptions {
  readonly hostnames: SiteHostnames;
  readonly directory: Pick<CertificateDirectory, 'findKeyAuthorization'>;
}

/**
 * Answers HTTP-01 challenges (RFC 8555, section 8.3) before any other handler, also at hosts without a site.
 * @param handle receives the other requests, and those for unknown tokens.
 */
export function answeringChallenges(
  { hostnames, directory }: ChallengeOptions,
  handle: RequestListener,
): RequestListener {
  return (request, response) => {
    const { host = '', target } = effectiveTarget(request);
    const token = target.startsWith('/.well-known/') ? PATH.exec(rawPathOf(target))?.[1] : undefined;
    const parsed = token === undefined ? undefined : parseHost(host, hostnames);
    if (token === undefined || parsed?.kind !== 'site') return handle(request, response);
    directory.findKeyAuthorization({ type: 'http-01', name: parsed.hostname, token }).then(
      (keyAuthorization) =>
        keyAuthorization === undefined ? handle(request, response) : send(keyAuthorization, request, response),
      () => sendBuffered(request, response, renderErrorPage(UNAVAILABLE, false)),
    );
  };
}

function send(keyAuthorization: string, request: IncomingMessage, response: ServerResponse): void {
  const body = Buffer.from(keyAuthorization);
  const headers = ['Content-Type', 'application/octet-stream', 'X-Content-Type-Options', 'nosniff'];
  headers.push('Cache-Control', 'no-store', 'Content-Length', String(body.length));
  sendBuffered(request, response, { status: 200, headers, body });
}
