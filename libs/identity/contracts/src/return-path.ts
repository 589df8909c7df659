const ORIGIN = 'http://same.invalid';

/**
 * The place to send a person after sign-in: `candidate` when it is a path on our own origin, `/` otherwise.
 * Whatever a browser could read as another host (`//host`, `/\host`, control characters) becomes `/`.
 */
export function returnPath(candidate: string | null | undefined): string {
  if (!candidate?.startsWith('/') || /^\/[/\\]/.test(candidate) || /[\p{Cc}\\]/u.test(candidate)) return '/';
  const url = URL.canParse(candidate, ORIGIN) ? new URL(candidate, ORIGIN) : undefined;
  if (url?.origin !== ORIGIN || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}
