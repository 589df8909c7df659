const STORAGE_KEY = 'homeport.sign-in-provider';

/** The id of the identity provider that was last chosen on this device; a device setting, so sign-out keeps it. */
export function lastProvider(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberProvider(id: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, id);
  } catch {
    // Storage is blocked, so the next visit shows no mark.
  }
}

/** Moves the provider that was used last to the front and marks it. With one provider there is nothing to mark. */
export function markLastUsed<T extends { readonly id: string }>(
  providers: readonly T[],
  last: string | undefined,
): readonly (T & { readonly isLastUsed: boolean })[] {
  return providers
    .map((provider) => ({ ...provider, isLastUsed: providers.length > 1 && provider.id === last }))
    .toSorted((one, other) => Number(other.isLastUsed) - Number(one.isLastUsed));
}
