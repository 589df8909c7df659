const ORIGIN = 'http://same.invalid';
/** The path travels in a sealed cookie per pending sign-in, and servers limit the total size of cookies. */
const MAX_LENGTH = 512;

/**
 * Returns the path to open after sign-in. Rejects everything that a browser could read as another host (`//host`,
 * `/\host`, control characters).
 *
 * @returns `candidate` when it is a same-origin path of at most 512 characters, `/` otherwise.
 */
export function returnPath(candidate: string | null | undefined): string {
  if (!candidate?.startsWith('/') || /^\/[/\\]/.test(candidate) || /[\p{Cc}\\]/u.test(candidate)) return '/';
  const url = URL.canParse(candidate, ORIGIN) ? new URL(candidate, ORIGIN) : undefined;
  if (url?.origin !== ORIGIN || url.pathname.startsWith('//')) return '/';
  const path = url.pathname + url.search + url.hash;
  return path.length > MAX_LENGTH ? '/' : path;
}
