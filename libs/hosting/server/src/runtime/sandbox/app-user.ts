import { createHash } from 'node:crypto';

/** The user ids 1879048192 to 2147483647 are unused on Linux systems: systemd documents it. */
const FIRST_USER_ID = 0x70000000;
const USER_IDS = 0x0fffffff;

/**
 * The user and group of an app. As root, every app has its own user; other users cannot change theirs, so that all apps
 * share it.
 */
export function userOf(appId: string): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = FIRST_USER_ID + (createHash('sha256').update(appId).digest().readUInt32BE() % USER_IDS);
  return { uid: id, gid: id };
}
