/** Reads all items. `Array.fromAsync` needs Node.js 22. */
export async function collect<T>(items: AsyncIterable<T>, limit = Infinity): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) {
    if (found.length >= limit) break;
    found.push(item);
  }
  return found;
}
