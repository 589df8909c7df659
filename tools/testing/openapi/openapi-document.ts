import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Schema = Readonly<Record<string, unknown>>;

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference | { readonly value: unknown }>>;
}

export interface Reference {
  readonly $ref: string;
}

export interface Header {
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface DescribedResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly headers?: Readonly<Record<string, Reference | Header>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** The parts of an OpenAPI document that tests read. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

export interface DescribedOperation {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  readonly operation: Operation;
}

const GOLDEN = resolve(import.meta.dirname, '../../../apps/api/openapi.json');

/** The committed document; a spec of the API compares it with the served one. */
export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(GOLDEN, 'utf8')) as OpenApiDocument;
}

export function operationsOf({ paths }: OpenApiDocument): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The schema, header or example that a reference names. */
export function resolved<T>(document: OpenApiDocument, value: Reference | T): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  const [, ...names] = value.$ref.split('/');
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as T;
}
