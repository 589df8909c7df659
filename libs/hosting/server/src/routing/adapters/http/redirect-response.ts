import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import type { DeployedSite } from '../../application/site-resolver';
import { effectiveTarget } from './edge-request';

export interface RedirectResponse {
  readonly status: number;
  readonly location: string;
  readonly variesByNavigation?: boolean;
  /** Whether the response is for one visitor and must not be cached. */
  readonly isPersonal: boolean;
}

/** Redirects a visitor to another address. */
export function sendRedirect(
  site: DeployedSite,
  { status, location, variesByNavigation = false, isPersonal }: RedirectResponse,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): undefined {
  const headers = ['Location', location, 'X-Content-Type-Options', 'nosniff'];
  // Browsers must revalidate a redirect, because the site's rule may change.
  headers.push('Cache-Control', isPersonal ? 'no-store' : 'public, max-age=0, must-revalidate', 'Content-Length', '0');
  if (variesByNavigation) headers.push('Vary', 'Accept, Sec-Fetch-Mode');
  if (site.kind === 'preview') headers.push('X-Robots-Tag', 'noindex', 'X-Deploy-Id', site.deploy.id);
  sendBuffered(request, response, { status, headers, body: undefined });
  return undefined;
}

/** Redirects to the same path at another host, by the protocol and at the port of the request. */
export function redirectToDomain(
  hostname: string,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): undefined {
  const { host = '', target } = effectiveTarget(request);
  const port = /:\d+$/.exec(host)?.[0] ?? '';
  const path = target.startsWith('/') ? target : '/';
  const headers = ['Location', `//${hostname}${port}${path}`, 'X-Content-Type-Options', 'nosniff'];
  headers.push('Cache-Control', 'public, max-age=0, must-revalidate', 'Content-Length', '0');
  sendBuffered(request, response, { status: 308, headers, body: undefined });
  return undefined;
}
