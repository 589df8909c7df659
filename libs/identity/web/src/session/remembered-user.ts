import type { SessionUser } from '@homeport/identity/contracts';

export const STORAGE_KEY = 'homeport.person';

/** The last signed-in user on this device; neither secret nor proof of identity. Undefined after a sign-out. */
export function rememberedUser(): SessionUser | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    return isUser(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a user; undefined forgets the remembered user. */
export function rememberUser(user: SessionUser | undefined): void {
  try {
    if (user) localStorage.setItem(STORAGE_KEY, JSON.stringify(user));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage may be blocked (private window, full disk); then the app cannot start offline.
  }
}

function isUser(value: unknown): value is SessionUser {
  return typeof value === 'object' && value !== null && 'sub' in value && typeof value.sub === 'string';
}
