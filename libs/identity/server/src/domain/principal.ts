/** Who makes a request, as proven by a verified token. A parameter of every use case; never a global. */
export interface Principal {
  readonly issuer: string;
  readonly subject: string;
  /** The organization of the token; absent for people who belong to none. */
  readonly organization?: string;
  readonly name?: string;
  readonly email?: string;
}

/** A principal who belongs to an organization. */
export type Member = Principal & { readonly organization: string };

export function isMember(principal: Principal): principal is Member {
  return principal.organization !== undefined;
}
