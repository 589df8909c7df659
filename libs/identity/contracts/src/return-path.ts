const ORIGIN = 'http://same.invalid';
/** It travels in a cookie, sealed, one for each sign-in under way, and servers limit what a browser may send. */
const MAX_LENGTH = 512;

/**
 * The place to send a person after sign-in: `candidate` when it is a path on our own origin, `/` otherwise.
 * Whatever a browser could read as another host (`//host`, `/\host`, control characters) becomes `/`, and so does an
 * address of more than 512 characters.
 */
export function returnPath(candidate: string | null | undefined): string {
  if (!candidate?.startsWith('/') || /^\/[/\\]/.test(candidate) || /[\p{Cc}\\]/u.test(candidate)) return '/';
  const url = URL.canParse(candidate, ORIGIN) ? new URL(candidate, ORIGIN) : undefined;
  if (url?.origin !== ORIGIN || url.pathname.startsWith('//')) return '/';
  const path = url.pathname + url.search + url.hash;
  return path.length > MAX_LENGTH ? '/' : path;
}
