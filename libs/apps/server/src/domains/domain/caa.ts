const PROPERTY = /^(\w+) "(.*)"$/;

/**
 * Whether a set of CAA records permits a certificate authority (RFC 8659, section 4).
 * @param values in the form `issue "ca.example"`.
 * @param authorities the names of our authority; one of them is enough.
 * @param isWildcard whether the certificate is for `*.{name}`: `issuewild` then comes before `issue`.
 */
export function permitsIssuance(
  values: readonly string[],
  authorities: readonly string[],
  isWildcard: boolean,
): boolean {
  const issue = issuersIn(values, 'issue');
  const wildcard = issuersIn(values, 'issuewild');
  const relevant = isWildcard && wildcard.length > 0 ? wildcard : issue;
  return relevant.length === 0 || relevant.some((issuer) => authorities.includes(issuer));
}

/** The issuers of a property, without their parameters. `;` alone is the empty name, which no authority has. */
function issuersIn(values: readonly string[], property: string): readonly string[] {
  return values.flatMap((value) => {
    const [, tag = '', text = ''] = PROPERTY.exec(value) ?? [];
    return tag.toLowerCase() === property ? [(text.split(';')[0] ?? '').trim().toLowerCase()] : [];
  });
}
