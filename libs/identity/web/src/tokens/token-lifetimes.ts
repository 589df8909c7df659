/** How long a new token is valid. */
export interface TokenLifetime {
  /** Days as a decimal string, because it is the value of an option; empty for a token that never expires. */
  readonly value: string;
  readonly label: string;
}

const DAY_MS = 86_400_000;
export const DEFAULT_LIFETIME = '90';

export function tokenLifetimes(): readonly TokenLifetime[] {
  return [
    { value: '30', label: $localize`In 30 days` },
    { value: '90', label: $localize`In 90 days` },
    { value: '365', label: $localize`In 1 year` },
    { value: '', label: $localize`Never` },
  ];
}

/** @returns the RFC 3339 time of expiry; undefined for a token that never expires. */
export function expiryOf(lifetime: string, now: Date): string | undefined {
  return lifetime === '' ? undefined : new Date(now.getTime() + Number(lifetime) * DAY_MS).toISOString();
}
