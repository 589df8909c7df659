import { createHash } from 'node:crypto';

/** The user ids 1879048192 to 2147483647 are unused on Linux systems: systemd documents it. */
const FIRST_USER_ID = 0x70000000;
const USER_IDS = 0x0fffffff;

/** The user and group id of an app. As root, apps of different tenants run as different users. */
export function userIdOf(appId: string): number {
  return FIRST_USER_ID + (createHash('sha256').update(appId).digest().readUInt32BE() % USER_IDS);
}
