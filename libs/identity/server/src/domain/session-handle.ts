import { createHash } from 'node:crypto';

/** SHA-256 of a session's id or a token, which are secrets: what is kept, shown or sent in their place opens nothing. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** How a person names one of their sessions, and a page a token: its hash, base64url. */
export function handleOf(secret: string): string {
  return hashOf(secret).toString('base64url');
}
