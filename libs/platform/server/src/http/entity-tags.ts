/** Whether one of the caller's tags is `etag`, compared strongly: a weak one never is. `*` is any that there is. */
export function matchesETagStrongly(validators: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  // A tag may hold a comma, so the list cannot be split at them.
  const tags: readonly string[] = validators.match(/(W\/)?"[^"]*"/g) ?? [];
  return validators.trim() === '*' || tags.includes(etag);
}

/** The same, with weak tags taken for strong ones, as RFC 9110 asks of `If-None-Match`. */
export function matchesETagWeakly(validators: string, etag: string | undefined): boolean {
  return matchesETagStrongly(validators.replace(/W\/(?=")/g, ''), etag);
}
