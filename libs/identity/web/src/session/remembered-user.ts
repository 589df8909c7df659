import type { SessionUser } from '@homeport/identity/contracts';

export const STORAGE_KEY = 'homeport.person';

/** The last signed-in person on this device; neither secret nor proof. Undefined after a sign-out. */
export function rememberedUser(): SessionUser | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    return isUser(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a person; undefined forgets the remembered person. */
export function rememberUser(person: SessionUser | undefined): void {
  try {
    if (person) localStorage.setItem(STORAGE_KEY, JSON.stringify(person));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage may be blocked (private window, full disk); then the app cannot start offline.
  }
}

function isUser(value: unknown): value is SessionUser {
  return typeof value === 'object' && value !== null && 'sub' in value && typeof value.sub === 'string';
}
