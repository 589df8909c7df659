import type { SessionUser } from '@homeport/identity/contracts';

export const STORAGE_KEY = 'homeport.person';

/** Who was signed in on this device last: no secret, and no proof. Undefined after a sign-out. */
export function rememberedUser(): SessionUser | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    return isUser(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a person, or nobody. */
export function rememberUser(person: SessionUser | undefined): void {
  try {
    if (person) localStorage.setItem(STORAGE_KEY, JSON.stringify(person));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage may be closed (private windows, full disks): then there is no start without a connection.
  }
}

function isUser(value: unknown): value is SessionUser {
  return typeof value === 'object' && value !== null && 'sub' in value && typeof value.sub === 'string';
}
