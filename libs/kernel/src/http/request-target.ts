import { InvalidRequest } from '../errors/common.errors';

/**
 * Parses a query string strictly: every parameter must be known, unique and not empty.
 * @param raw the undecoded query without `?`; `undefined` when there is no `?`.
 * @param known the names of all parameters.
 * @param optionalValues names of parameters that may be empty; empty ones are omitted from the result.
 * @throws {InvalidRequest} with every invalid parameter.
 */
export function parseStrictQuery<Name extends string>(
  raw: string | undefined,
  known: readonly Name[],
  optionalValues: readonly string[] = [],
): Partial<Record<Name, string>> {
  const values = new Map<string, string>();
  const problems = new Map<string, string>();
  for (const part of (raw ?? '').split('&').filter((each) => each !== '')) {
    const [name, value] = nameAndValue(part);
    if (!(known as readonly string[]).includes(name)) problems.set(name, 'is not a parameter of this address');
    else if (values.has(name)) problems.set(name, 'is given more than once');
    else if (value === undefined) problems.set(name, 'is not percent-encoded UTF-8');
    else if (value === '' && !optionalValues.includes(name)) problems.set(name, 'is empty');
    values.set(name, value ?? '');
  }
  if (problems.size > 0) {
    const fields = [...problems].map(([field, reason]) => ({ field, reason }));
    throw new InvalidRequest(
      `The query has ${fields.length === 1 ? 'an invalid parameter' : 'invalid parameters'}.`,
      fields,
    );
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== '')) as Partial<Record<Name, string>>;
}

/** Does not use `URLSearchParams`, which replaces undecodable bytes and so could confuse two values. */
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

/** Removes scheme and host from an absolute-form target (`http://host/path`). */
function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}

/** The query of a raw request target, without the `?`. */
export function rawQueryOf(target: string): string | undefined {
  const at = target.indexOf('?');
  return at < 0 ? undefined : target.slice(at + 1);
}

/** The path with percent-encoded ASCII characters decoded, as routers and caches read it. Others stay encoded. */
export function normalizedPathOf(target: string): string {
  return rawPathOf(target).replace(/%[0-7][\da-f]/gi, decodeURIComponent);
}

/** The path of a raw request target, unchanged. */
export function rawPathOf(target: string): string {
  const [path = ''] = originForm(target).split('?', 1);
  return path;
}
