import type { OpenAPIObject } from '@nestjs/swagger';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface MediaType {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: object;
}

type Schemas = Readonly<Record<string, JsonSchema>>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const COMPOSED = /json$|form-urlencoded$/;
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0190d6c0-5b2e-7a31-9c44-8e1f2a3b4c5d',
  'date-time': '2026-09-01T08:30:00.000Z',
  uri: 'https://my-shop.apps.example.com',
};
const BY_TYPE: Readonly<Record<string, unknown>> = { boolean: false, integer: 1, number: 1, object: {} };

/**
 * Adds an example to each JSON body that has none, composed from the examples of its fields, so that an example is
 * written once, beside its field.
 */
export function withBodyExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>);
    return [path, Object.fromEntries(operations.map(([method, each]) => [method, withExamplesOf(each, schemas)]))];
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function withExamplesOf(operation: Operation, schemas: Schemas): Operation {
  const { requestBody, responses } = operation;
  const described = Object.entries(responses).map(([status, response]) => [
    status,
    response && withExamples(response, schemas),
  ]);
  return {
    ...operation,
    ...(requestBody !== undefined && { requestBody: withExamples(requestBody, schemas, 'explicit') }),
    responses: Object.fromEntries(described) as Operation['responses'],
  };
}

/** Which optional fields an example has: none, or those with an example. */
type OptionalFields = 'none' | 'explicit';

function withExamples<T extends object>(body: T, schemas: Schemas, optional: OptionalFields = 'none'): T {
  if (!('content' in body)) return body;
  const content = Object.entries(body.content as Record<string, MediaType>).map(([type, media]) => {
    const isComplete = !COMPOSED.test(type) || media.schema === undefined || 'example' in media || 'examples' in media;
    return [type, isComplete ? media : { ...media, example: exampleOf(media.schema, schemas, optional) }];
  });
  return { ...body, content: Object.fromEntries(content) as Record<string, MediaType> };
}

/** @throws {Error} for a text without an example: none can be made up that tells what it means. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, optional: OptionalFields = 'none'): unknown {
  const { $ref, items, properties } = schema;
  if ($ref !== undefined) return exampleOf(schemas[$ref.split('/').at(-1) as string] ?? {}, schemas, optional);
  const stated = [schema.example, schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]];
  const first = stated.find((value) => value !== undefined);
  if (first !== undefined) return first;
  const [alternative] = schema.oneOf ?? schema.anyOf ?? [];
  if (alternative !== undefined) return exampleOf(alternative, schemas, optional);
  if (items !== undefined) return [exampleOf(items, schemas, optional)];
  if (properties !== undefined) return objectExample(schema, schemas, optional);
  return plainExample(schema);
}

function objectExample({ properties = {}, required = [] }: JsonSchema, schemas: Schemas, optional: OptionalFields) {
  const entries = Object.entries(properties)
    .filter(([name, { example }]) => required.includes(name) || (optional === 'explicit' && example !== undefined))
    .map(([name, property]) => {
      try {
        return [name, exampleOf(property, schemas, optional)];
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    });
  return Object.fromEntries(entries) as object;
}

function plainExample({ type, format = '', minimum }: JsonSchema): unknown {
  if (Array.isArray(type) && type.includes('null')) return null;
  const name = String(type);
  const value = BY_FORMAT[format] ?? minimum ?? BY_TYPE[name];
  if (value === undefined) throw new Error(`a ${name} needs an example`);
  return value;
}
