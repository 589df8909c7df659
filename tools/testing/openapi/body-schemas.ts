import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, Schema } from './openapi-document.ts';

const ID = 'openapi.json';

/** Checks bodies against the schemas of a document, in which objects have only their described fields. */
export class BodySchemas {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<Schema, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: ID, components: { schemas: closed(document.components.schemas) } });
  }

  /** @returns what is wrong with the body. */
  faults(schema: Schema, body: unknown): string[] {
    const validate =
      this.#validators.get(schema) ?? this.#ajv.compile(withAbsoluteReferences(closed(schema)) as Schema);
    this.#validators.set(schema, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/**
 * Forbids undescribed fields. The document leaves its objects open, because clients must accept fields that later
 * versions add; a response of this version has none.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, closed(value)] as const);
  const schema: Record<string, unknown> = Object.fromEntries(entries);
  const isObject = schema['type'] === 'object' && 'properties' in schema && !('additionalProperties' in schema);
  return isObject ? { ...schema, additionalProperties: false } : schema;
}

function withAbsoluteReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withAbsoluteReferences);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === '$ref' ? `${ID}${value}` : withAbsoluteReferences(value)]),
  );
}
