import { InvalidRequest } from '../problems/platform.errors';

/**
 * Reads a query string strictly: every parameter known, given once and not empty.
 * @param raw what stands behind `?`, undecoded; `undefined` when there is no `?`.
 * @param optionalValues names of parameters that may be empty; an empty one is left out of the result.
 * @throws {InvalidRequest} naming every parameter at fault.
 */
export function parseStrictQuery<Name extends string>(
  raw: string | undefined,
  known: readonly Name[],
  optionalValues: readonly string[] = [],
): Partial<Record<Name, string>> {
  const values = new Map<string, string>();
  const faults = new Map<string, string>();
  for (const part of (raw ?? '').split('&').filter((each) => each !== '')) {
    const [name, value] = nameAndValue(part);
    if (!(known as readonly string[]).includes(name)) faults.set(name, 'is not a parameter of this address');
    else if (values.has(name)) faults.set(name, 'is given more than once');
    else if (value === undefined) faults.set(name, 'is not percent-encoded UTF-8');
    else if (value === '' && !optionalValues.includes(name)) faults.set(name, 'is empty');
    values.set(name, value ?? '');
  }
  if (faults.size > 0) {
    const fields = [...faults].map(([field, reason]) => ({ field, reason }));
    throw new InvalidRequest(`The query has ${fields.length === 1 ? 'a fault' : 'faults'}.`, fields);
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== '')) as Partial<Record<Name, string>>;
}

/** `URLSearchParams` would replace what it cannot decode, and so take one value for another. */
function nameAndValue(part: string): [name: string, value: string | undefined] {
  const at = part.indexOf('=');
  const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
  return [decoded(name) ?? name, decoded(value)];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** A target may name the server too (`http://host/path`); which one it was, the connection has already said. */
function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}

/** The query of a raw request target, without the `?`. */
export function rawQueryOf(target: string): string | undefined {
  const at = target.indexOf('?');
  return at < 0 ? undefined : target.slice(at + 1);
}

/** The path with encoded ASCII characters decoded, as routers and caches read it; the other ones stay encoded. */
export function normalizedPathOf(target: string): string {
  return rawPathOf(target).replace(/%[0-7][\da-f]/gi, decodeURIComponent);
}

/** The path of a raw request target, exactly as it stood on the wire. */
export function rawPathOf(target: string): string {
  const [path = ''] = originForm(target).split('?', 1);
  return path;
}
