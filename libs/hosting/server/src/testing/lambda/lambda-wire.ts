import * as lambda from '@aws-sdk/client-lambda';
import { JsonShapeDeserializer, JsonShapeSerializer } from '@aws-sdk/core/protocols';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { NormalizedSchema } from '@smithy/core/schema';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';
import type { IncomingMessage } from 'node:http';

/** The operations that the double knows. */
export const OPERATIONS = [
  'CreateAlias',
  'CreateFunction',
  'DeleteAlias',
  'DeleteFunction',
  'GetAlias',
  'GetFunction',
  'GetFunctionConfiguration',
  'InvokeWithResponseStream',
  'ListAliases',
  'ListFunctions',
  'UpdateFunctionCode',
  'UpdateFunctionConfiguration',
] as const;
export type LambdaOperation = (typeof OPERATIONS)[number];

/** Smithy's id of the time format of JSON: seconds since 1970. */
const EPOCH_SECONDS = 7;
const SETTINGS: ConstructorParameters<typeof JsonShapeSerializer>[0] = {
  timestampFormat: { useTrait: true, default: EPOCH_SECONDS },
  httpBindings: true,
  jsonName: true,
};

/** An operation schema of the SDK: kind, namespace, name, traits, input, output. */
type OperationSchema = readonly [
  number,
  string,
  string,
  { readonly http: readonly [string, string, number] },
  () => unknown,
  () => unknown,
];
type Schema = Parameters<typeof NormalizedSchema.of>[0];

const schemas = lambda as unknown as Readonly<Record<string, unknown>>;

function operationSchema(operation: LambdaOperation): OperationSchema {
  return schemas[`${operation}$`] as OperationSchema;
}

/** A request, as the SDK's schema of its operation reads it. */
export interface LambdaRequest {
  readonly operation: LambdaOperation;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * The wire format of AWS Lambda. Routes, bindings and shapes are those of the SDK's schemas, so that the double and an
 * adapter cannot agree on a format that Lambda does not support.
 */
export const wire = {
  /** @returns undefined for an operation that the double does not know. */
  read({ method, url = '/' }: IncomingMessage, body: Buffer): LambdaRequest | undefined {
    const { pathname, searchParams } = new URL(url, 'http://double');
    for (const operation of OPERATIONS) {
      const [verb, template] = operationSchema(operation)[3].http;
      const labels = verb === method ? matched(template, pathname.replace(/\/$/, '')) : undefined;
      if (labels) return { operation, input: inputOf(operation, { labels, query: searchParams, body }) };
    }
    return undefined;
  },

  /** @returns the status and the body of a response. */
  write(operation: LambdaOperation, output: Readonly<Record<string, unknown>>): { status: number; body: string } {
    const [, , , { http }, , schema] = operationSchema(operation);
    const serializer = new JsonShapeSerializer(SETTINGS);
    const shape = schema() as Parameters<JsonShapeSerializer['write']>[0];
    if (http[2] === 204) return { status: 204, body: '' };
    serializer.write(shape, output);
    return { status: http[2], body: String(serializer.flush()) };
  },

  /** @param name of an exception in the SDK. */
  writeError(name: string, message: string): { status: number; body: string } {
    const schema = NormalizedSchema.of(schemas[`${name}$`] as Schema);
    const status = Number(schema.getMergedTraits()['httpError'] ?? 400);
    return { status, body: JSON.stringify({ Type: 'User', Message: message, message }) };
  },

  /** A message of the event stream of a response: bytes of the payload, or its end. */
  writeEvent(event: lambda.InvokeWithResponseStreamResponseEvent): Uint8Array {
    const isChunk = event.PayloadChunk !== undefined;
    const name = isChunk ? 'PayloadChunk' : 'InvokeComplete';
    const type = isChunk ? 'application/octet-stream' : 'application/json';
    const body = event.PayloadChunk?.Payload ?? Buffer.from(JSON.stringify(event.InvokeComplete ?? {}));
    return new EventStreamCodec(toUtf8, fromUtf8).encode({
      headers: {
        ':message-type': { type: 'string', value: 'event' },
        ':event-type': { type: 'string', value: name },
        ':content-type': { type: 'string', value: type },
      },
      body,
    });
  },
};

/** @returns the values of the labels in a path such as `/functions/{FunctionName}`. */
function matched(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const groups = new RegExp(`^${pattern}$`).exec(path);
  return groups ? { ...groups.groups } : undefined;
}

function inputOf(
  operation: LambdaOperation,
  { labels, query, body }: { labels: Readonly<Record<string, string>>; query: URLSearchParams; body: Buffer },
): Record<string, unknown> {
  const schema = NormalizedSchema.of(operationSchema(operation)[4]() as Schema);
  const members = [...schema.structIterator()];
  const isBlob = members.some(([name, member]) => name === 'Payload' && member.getMergedTraits()['httpPayload']);
  const input: Record<string, unknown> = isBlob ? { Payload: body } : readBody(schema, body);
  for (const [name, member] of members) {
    const parameter = member.getMergedTraits()['httpQuery'] as string | undefined;
    const value = parameter === undefined ? null : query.get(parameter);
    if (value !== null) input[name] = member.isNumericSchema() ? Number(value) : value;
  }
  for (const [name, value] of Object.entries(labels)) input[name] = decodeURIComponent(value);
  return input;
}

function readBody(schema: NormalizedSchema, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  const read = new JsonShapeDeserializer(SETTINGS).readObject(schema, JSON.parse(body.toString())) as unknown;
  return { ...(read as Record<string, unknown>) };
}
