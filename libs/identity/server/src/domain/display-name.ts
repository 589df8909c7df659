import type { Actor } from '@homeport/identity/contracts';

/** Characters. A token of the identity service may contain a name of any length. */
const MAX_LENGTH = 200;

/** The name of the actor for people to read: the name in the token, or the subject when it has no name. */
export function displayNameOf({ name, subject }: Pick<Actor, 'name' | 'subject'>): string {
  // PostgreSQL rejects NUL.
  return (name ?? subject).slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed();
}
