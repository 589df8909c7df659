/** The part of JSON Schema that readers rely on. */
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

/** The type of a shape without a declared type. */
const ANYTHING = 'anything';

/** Returns the changes in `newer` that can break a reader of `older`. Added fields do not break readers. */
export function breakingChanges(older: Shape, newer: Shape, place = '$'): string[] {
  const [before, after] = [typesOf(older), typesOf(newer)];
  const newTypes = before.includes(ANYTHING) ? [] : after.filter((type) => !before.includes(type));
  return [
    ...(newTypes.length > 0 ? [`${place}: was ${before.join(' or ')}, may now be ${newTypes.join(' or ')}`] : []),
    ...brokenProperties(older, newer, place),
    ...(older.items && newer.items ? breakingChanges(older.items, newer.items, `${place}[]`) : []),
    ...brokenValues(older, newer, place),
  ];
}

function brokenProperties(older: Shape, newer: Shape, place: string): string[] {
  return Object.entries(older.properties ?? {}).flatMap(([name, shape]) => {
    const now = newer.properties?.[name];
    if (!now) return [`${place}.${name}: was removed`];
    const isNowOptional = older.required?.includes(name) && !newer.required?.includes(name);
    return [
      ...(isNowOptional ? [`${place}.${name}: may now be missing`] : []),
      ...breakingChanges(shape, now, `${place}.${name}`),
    ];
  });
}

/** Readers rely on closed sets of values and on patterns of texts. */
function brokenValues(older: Shape, newer: Shape, place: string): string[] {
  const [before, after] = [valuesOf(older), valuesOf(newer)];
  const removed = before?.filter((value) => !after?.includes(value)) ?? [];
  return [
    ...(removed.length > 0 ? [`${place}: no longer promises ${JSON.stringify(removed)}`] : []),
    ...(older.pattern !== undefined && older.pattern !== newer.pattern
      ? [`${place}: the pattern of the text changed`]
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

/** Derives the shape of a JSON value. Fields that only some elements of a list have are optional. */
export function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) {
    const shapes = value.map(shapeOf);
    return { type: 'array', ...(shapes.length > 0 && { items: shapes.reduce(merge) }) };
  }
  if (value === null || typeof value !== 'object') return value === null ? {} : { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
  return { type: 'object', properties, required: Object.keys(properties) };
}

function merge(one: Shape, other: Shape): Shape {
  const names = new Set([...Object.keys(one.properties ?? {}), ...Object.keys(other.properties ?? {})]);
  if (names.size === 0) return { ...other, ...one };
  const property = (name: string): [string, Shape] => {
    const [left, right] = [one.properties?.[name], other.properties?.[name]];
    return [name, left && right ? merge(left, right) : ((left ?? right) as Shape)];
  };
  const required = (one.required ?? []).filter((name) => other.required?.includes(name));
  return { type: 'object', properties: Object.fromEntries([...names].map(property)), required };
}
