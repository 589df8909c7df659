import { hash } from 'node:crypto';
import { filePathOf, parseFilePrefix, parseRawFilePath } from '@homeport/files/contracts';
import type { Actor } from '@homeport/identity/contracts';
import { FilePathRejected } from './files.errors';

declare const confined: unique symbol;

/** The storage prefix of one user, ending in `/`. */
export type WorkspaceRoot = string & { readonly [confined]: 'root' };
/** An object key that is proven to be in one user's prefix. `ObjectStore` accepts no other keys. */
export type WorkspaceKey = string & { readonly [confined]: 'key' };
/** A key prefix that is proven to be in one user's prefix; it may end inside a segment. */
export type WorkspacePrefix = string & { readonly [confined]: 'prefix' };

/** The prefix of all workspaces. */
export const WORKSPACES = 'u/';
/** The base64url form of a SHA-256 digest. */
const ROOT = /^u\/[\w-]{43}\/$/;

/**
 * The prefix of a user's files. The hash is safe for every subject and unique per user: issuers cannot contain a line
 * feed, so no two users hash the same text.
 */
export function workspaceRoot(actor: Pick<Actor, 'issuer' | 'subject'>): WorkspaceRoot {
  const digest = hash('sha256', `${actor.issuer}\n${actor.subject}`, 'base64url');
  return `${WORKSPACES}${digest}/` as WorkspaceRoot;
}

/** @param prefix as storage lists it. */
export function isWorkspaceRoot(prefix: string): prefix is WorkspaceRoot {
  return ROOT.test(prefix);
}

/**
 * Converts a raw path to an object key.
 * @param rawPath the undecoded part after `/api/files/`. @throws {FilePathRejected}
 */
export function workspaceKey(root: WorkspaceRoot, rawPath: string): WorkspaceKey {
  const parsed = parseRawFilePath(rawPath);
  if ('fault' in parsed) throw new FilePathRejected(parsed.fault);
  return (root + parsed.path) as WorkspaceKey;
}

/** @param prefix the decoded query parameter. @throws {FilePathRejected} */
export function workspacePrefix(root: WorkspaceRoot, prefix: string): WorkspacePrefix {
  const parsed = parseFilePrefix(prefix);
  if ('fault' in parsed) throw new FilePathRejected(parsed.fault);
  return (root + parsed.path) as WorkspacePrefix;
}

/** @param path decoded, as listings return it. @throws {FilePathRejected} */
export function workspaceKeyOfPath(root: WorkspaceRoot, path: string): WorkspaceKey {
  const parsed = filePathOf(path.split('/'));
  if ('fault' in parsed) throw new FilePathRejected(parsed.fault);
  return (root + parsed.path) as WorkspaceKey;
}

/** @returns a listed key; undefined for an object that other software stored under a name without a valid path. */
export function listedWorkspaceKey(root: WorkspaceRoot, key: string): WorkspaceKey | undefined {
  const parsed = filePathOf(pathIn(root, key).split('/'));
  return 'path' in parsed && root + parsed.path === key ? (key as WorkspaceKey) : undefined;
}

/** The workspace that contains a key. */
export function rootOf(key: WorkspaceKey): WorkspaceRoot {
  return key.slice(0, key.indexOf('/', WORKSPACES.length) + 1) as WorkspaceRoot;
}

/** The path of a key relative to its workspace. */
export function pathIn(root: WorkspaceRoot, key: string): string {
  return key.slice(root.length);
}
