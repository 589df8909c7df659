/** The part of JSON Schema that says what a reader may rely on. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly anyOf?: readonly Shape[];
}

/** The type of what says nothing of its type. */
const ANYTHING = 'anything';

/** Everything for which a reader of `older` could stumble over `newer`. Added fields are no break. */
export function breakingChanges(older: Shape, newer: Shape, place = '$'): string[] {
  const [before, after] = [typesOf(older), typesOf(newer)];
  const strange = before.includes(ANYTHING) ? [] : after.filter((type) => !before.includes(type));
  return [
    ...(strange.length > 0 ? [`${place}: was ${before.join(' or ')}, may now be ${strange.join(' or ')}`] : []),
    ...brokenProperties(older, newer, place),
    ...(older.items && newer.items ? breakingChanges(older.items, newer.items, `${place}[]`) : []),
    ...brokenValues(older, newer, place),
  ];
}

function brokenProperties(older: Shape, newer: Shape, place: string): string[] {
  return Object.entries(older.properties ?? {}).flatMap(([name, shape]) => {
    const now = newer.properties?.[name];
    if (!now) return [`${place}.${name}: is gone`];
    const isLost = older.required?.includes(name) && !newer.required?.includes(name);
    return [
      ...(isLost ? [`${place}.${name}: may now be missing`] : []),
      ...breakingChanges(shape, now, `${place}.${name}`),
    ];
  });
}

/** A reader that knows a closed set of values, or the form of a text, can rely on it. */
function brokenValues(older: Shape, newer: Shape, place: string): string[] {
  const [before, after] = [valuesOf(older), valuesOf(newer)];
  const lost = before?.filter((value) => !after?.includes(value)) ?? [];
  return [
    ...(lost.length > 0 ? [`${place}: no longer promises ${JSON.stringify(lost)}`] : []),
    ...(older.pattern !== undefined && older.pattern !== newer.pattern
      ? [`${place}: the form of the text changed`]
      : []),
  ];
}

function typesOf({ type, anyOf, ...rest }: Shape): readonly string[] {
  if (anyOf) return anyOf.flatMap(typesOf);
  if (type !== undefined) return [type].flat();
  return 'const' in rest ? [typeof rest.const] : [ANYTHING];
}

function valuesOf(shape: Shape): readonly unknown[] | undefined {
  return 'const' in shape ? [shape.const] : shape.enum;
}

/** The shape of a JSON value; what only some elements of a list have is optional in it. */
export function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) {
    const shapes = value.map(shapeOf);
    return { type: 'array', ...(shapes.length > 0 && { items: shapes.reduce(merged) }) };
  }
  if (value === null || typeof value !== 'object') return value === null ? {} : { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
  return { type: 'object', properties, required: Object.keys(properties) };
}

function merged(one: Shape, other: Shape): Shape {
  const names = new Set([...Object.keys(one.properties ?? {}), ...Object.keys(other.properties ?? {})]);
  if (names.size === 0) return { ...other, ...one };
  const property = (name: string): [string, Shape] => {
    const [left, right] = [one.properties?.[name], other.properties?.[name]];
    return [name, left && right ? merged(left, right) : ((left ?? right) as Shape)];
  };
  const required = (one.required ?? []).filter((name) => other.required?.includes(name));
  return { type: 'object', properties: Object.fromEntries([...names].map(property)), required };
}
