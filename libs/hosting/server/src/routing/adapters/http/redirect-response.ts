import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import type { DeployedSite } from '../../application/site-resolver';

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
