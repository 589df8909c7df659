/** The caller as proven by a verified token. Passed to every use case as a parameter; never global. */
export interface Principal {
  readonly issuer: string;
  readonly subject: string;
  /** The organization in the token; absent for people without one. */
  readonly organization?: string;
  readonly name?: string;
  readonly email?: string;
}

/** A principal who belongs to an organization. */
export type Member = Principal & { readonly organization: string };

export function isMember(principal: Principal): principal is Member {
  return principal.organization !== undefined;
}
