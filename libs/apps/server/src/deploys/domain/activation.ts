import type { DeployActivation } from '@homeport/apps/contracts';
import { type SiteRules, startPageOf } from '@homeport/hosting/contracts';

/**
 * When a deploy that has become ready goes live: unless it would take a working site down, never by itself, or in any
 * case.
 */
export type ActivationPolicy = 'when-safe' | 'never' | 'always';

/** Whether the new deploy and the live one answer `/` with a page or a redirect. */
export interface StartPages {
  readonly hasStartPage: boolean;
  /** False when no deploy is live. */
  readonly liveHasStartPage: boolean;
}

/** Decides whether a deploy that has become ready goes live. Nothing else holds a deploy back. */
export function decideActivation(
  policy: ActivationPolicy,
  { hasStartPage, liveHasStartPage }: StartPages,
): DeployActivation {
  if (policy === 'never') return { activated: false, reason: 'not-requested' };
  const takesSiteDown = liveHasStartPage && !hasStartPage;
  return policy === 'when-safe' && takesSiteDown
    ? { activated: false, reason: 'no-start-page' }
    : { activated: true, reason: null };
}

/** Whether visitors of `/` see something. @param paths the files of the site. */
export function hasStartPage(paths: ReadonlySet<string>, rules: SiteRules): boolean {
  const { isRedirected, files } = startPageOf(rules);
  return isRedirected || files.some((file) => paths.has(file));
}
