/** A value of `ServerAnswer`: the tag, and the value in quotes. */
const RECORD = /^(\S+) "(.*)"$/s;

/**
 * Whether CAA records permit an authority to issue (RFC 8659).
 * @param records those of the closest name that has any, as `issue "ca.example"`.
 * @param identities the domains by which the authority is named; empty when it names none.
 */
export function caaPermits(records: readonly string[], identities: readonly string[], isWildcard: boolean): boolean {
  const properties = records.flatMap((record) => {
    const [, tag, value] = RECORD.exec(record) ?? [];
    return tag === undefined || value === undefined ? [] : [{ tag: tag.toLowerCase(), issuer: issuerOf(value) }];
  });
  const issueWild = properties.filter(({ tag }) => tag === 'issuewild');
  const relevant = isWildcard && issueWild.length > 0 ? issueWild : properties.filter(({ tag }) => tag === 'issue');
  if (relevant.length === 0) return true;
  // An authority without a known identity decides itself, unless no authority at all may issue.
  if (identities.length === 0) return relevant.some(({ issuer }) => issuer !== '');
  return relevant.some(({ issuer }) => identities.some((identity) => identity.toLowerCase() === issuer));
}

function issuerOf(value: string): string {
  const [issuer = ''] = value.split(';');
  return issuer.trim().toLowerCase();
}
