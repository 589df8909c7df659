import type { Scope } from './scopes';

/** What a token permits. A person who signs in has no grant and all rights of their organization and workspace. */
export interface TokenGrant {
  /** `ci` for an access token that a pipeline received from the token exchange. */
  readonly kind: 'organization' | 'personal' | 'ci';
  /** The id of the token; for a pipeline, the id of the trust that admitted it. */
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** The only app that the token may use; absent when it may use all apps of the organization. */
  readonly appId?: string;
  /** The folder that confines a personal token, ending in `/`; absent when it may use the whole workspace. */
  readonly prefix?: string;
}

/** The identity that makes a request, proven by a verified token. Passed to every use case as a parameter; never global. */
export interface Actor {
  readonly issuer: string;
  readonly subject: string;
  /** The organization in the token; absent for people without one. */
  readonly organization?: string;
  readonly name?: string;
  readonly email?: string;
  /** Present when the request is made with a token that Homeport issued. */
  readonly grant?: TokenGrant;
}

/** An actor who belongs to an organization. */
export type Member = Actor & { readonly organization: string };

export function isMember(actor: Actor): actor is Member {
  return actor.organization !== undefined;
}

/** Characters. A token of the identity service may contain a name of any length, and lists repeat it. */
const MAX_NAME_LENGTH = 200;

/** The name of the actor for people to read: the name in the token, or the subject when it has no name. */
export function displayNameOf({ name, subject }: Pick<Actor, 'name' | 'subject'>): string {
  // PostgreSQL rejects NUL.
  return (name ?? subject).slice(0, MAX_NAME_LENGTH).replaceAll('\0', '').toWellFormed();
}

/** The kind of actor: a person, a token of an organization or of a person, or a pipeline. */
export function actorKindOf({ grant }: Pick<Actor, 'grant'>): 'person' | 'token' | 'ci' {
  if (grant === undefined) return 'person';
  return grant.kind === 'ci' ? 'ci' : 'token';
}

/** The name of the actor in the audit trail: `person:{sub}`, `token:{id}` or `ci:{trust id}`. */
export function auditNameOf(actor: Pick<Actor, 'subject' | 'grant'>): string {
  return `${actorKindOf(actor)}:${actor.grant?.id ?? actor.subject}`;
}
