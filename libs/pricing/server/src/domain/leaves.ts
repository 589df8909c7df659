/**
 * Maps the path of every leaf of a JSON document to its value as JSON. Paths use the id, size or version of list
 * elements instead of their index, so an added element does not change the other paths.
 * @param skipped keys to ignore at any depth.
 */
export function leavesOf(node: unknown, skipped: ReadonlySet<string> = new Set(), place = ''): Map<string, string> {
  if (typeof node !== 'object' || node === null) return new Map([[place, JSON.stringify(node)]]);
  const entries = Object.entries(node as Readonly<Record<string, unknown>>).filter(([key]) => !skipped.has(key));
  return new Map(
    entries.flatMap(([key, value]) => {
      const name = Array.isArray(node) ? (nameOf(value) ?? key) : key;
      return [...leavesOf(value, skipped, place ? `${place}.${name}` : name)];
    }),
  );
}

function nameOf(element: unknown): string | undefined {
  const { id, size, version } = Object(element) as Readonly<Record<string, unknown>>;
  return [id, size, version].find((each) => typeof each === 'string') as string | undefined;
}
