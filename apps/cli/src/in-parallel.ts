/** Runs `work` for each item, `width` at a time. After a failure, starts no more and rejects when the started ones end. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const item of remaining) {
      if (failure) return;
      await work(item).catch((error: unknown) => (failure ??= { error }));
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failure) throw (failure as { error: unknown }).error;
}
