import { hash } from 'node:crypto';
import { parseFilePrefix, parseRawFilePath } from '@homeport/files/contracts';
import type { Principal } from '@homeport/identity/server';
import { FilePathRejected } from './files.errors';

declare const confined: unique symbol;

/** The storage prefix of one person, ending in `/`. */
export type WorkspaceRoot = string & { readonly [confined]: 'root' };
/** An object key proven to lie in one person's prefix. `ObjectStore` takes nothing else. */
export type WorkspaceKey = string & { readonly [confined]: 'key' };
/** A key prefix proven to lie in one person's prefix; it may end inside a segment. */
export type WorkspacePrefix = string & { readonly [confined]: 'prefix' };

/**
 * Where a person's files live. The hash makes it safe whatever the subject holds, and distinct for distinct people:
 * issuers cannot contain a line feed, so no two pairs hash the same text.
 */
export function workspaceRoot(principal: Pick<Principal, 'issuer' | 'subject'>): WorkspaceRoot {
  const digest = hash('sha256', `${principal.issuer}\n${principal.subject}`, 'base64url');
  return `u/${digest}/` as WorkspaceRoot;
}

/**
 * The key of the file that a raw request target names.
 * @param rawPath what stands behind `/api/files/`, undecoded. @throws {FilePathRejected}
 */
export function workspaceKey(root: WorkspaceRoot, rawPath: string): WorkspaceKey {
  const parsed = parseRawFilePath(rawPath);
  if ('fault' in parsed) throw new FilePathRejected(parsed.fault);
  return (root + parsed.path) as WorkspaceKey;
}

/** @param prefix decoded, as a query parameter is. @throws {FilePathRejected} */
export function workspacePrefix(root: WorkspaceRoot, prefix: string): WorkspacePrefix {
  const parsed = parseFilePrefix(prefix);
  if ('fault' in parsed) throw new FilePathRejected(parsed.fault);
  return (root + parsed.path) as WorkspacePrefix;
}

/** Whose key it is. */
export function rootOf(key: WorkspaceKey): WorkspaceRoot {
  return key.slice(0, key.indexOf('/', 'u/'.length) + 1) as WorkspaceRoot;
}

/** The path a person sees for a key of theirs. */
export function pathIn(root: WorkspaceRoot, key: string): string {
  return key.slice(root.length);
}
