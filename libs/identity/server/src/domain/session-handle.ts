import { createHash } from 'node:crypto';

/** SHA-256 of a secret (session id or token), safe to store, show or send. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The public handle of a session or token: its hash, base64url. */
export function handleOf(secret: string): string {
  return hashOf(secret).toString('base64url');
}
