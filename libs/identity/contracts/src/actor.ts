/** The identity that makes a request, proven by a verified token. Passed to every use case as a parameter; never global. */
export interface Actor {
  readonly issuer: string;
  readonly subject: string;
  /** The organization in the token; absent for people without one. */
  readonly organization?: string;
  readonly name?: string;
  readonly email?: string;
}

/** An actor who belongs to an organization. */
export type Member = Actor & { readonly organization: string };

export function isMember(actor: Actor): actor is Member {
  return actor.organization !== undefined;
}
