import { createHash } from 'node:crypto';

/** SHA-256 of a session's id, which is a secret: what is kept, and shown to the person, opens no session. */
export function hashOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

/** How a person names one of their sessions: the hash of its id, base64url. */
export function handleOf(id: string): string {
  return hashOf(id).toString('base64url');
}
