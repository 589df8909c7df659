/** Strong comparison (RFC 9110, section 8.8.3.2): a weak tag never matches. `*` matches any existing tag. */
export function matchesETagStrongly(validators: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  // A tag may contain a comma, so the list cannot be split at commas.
  const tags: readonly string[] = validators.match(/(W\/)?"[^"]*"/g) ?? [];
  return validators.trim() === '*' || tags.includes(etag);
}

/** Weak comparison, which RFC 9110 requires for `If-None-Match`: a weak tag matches like a strong one. */
export function matchesETagWeakly(validators: string, etag: string | undefined): boolean {
  return matchesETagStrongly(validators.replace(/W\/(?=")/g, ''), etag);
}
