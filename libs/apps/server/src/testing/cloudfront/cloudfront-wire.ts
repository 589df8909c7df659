import * as cloudfront from '@aws-sdk/client-cloudfront';
import { XmlShapeDeserializer, XmlShapeSerializer } from '@aws-sdk/core/protocols';
import { NormalizedSchema } from '@smithy/core/schema';
import type { IncomingMessage } from 'node:http';

/** The operations that the double knows. */
const OPERATIONS = [
  'CreateDistributionTenant',
  'DeleteDistributionTenant',
  'GetDistributionTenant',
  'GetManagedCertificateDetails',
  'ListDistributionTenants',
  'UpdateDistributionTenant',
] as const;
export type CloudFrontOperation = (typeof OPERATIONS)[number];

const DECLARATION = '<?xml version="1.0"?>\n';
const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/';
/** Smithy's id of the time format `2026-01-01T00:00:00Z`. */
const DATE_TIME = 5;
const SETTINGS: ConstructorParameters<typeof XmlShapeSerializer>[0] = {
  timestampFormat: { useTrait: true, default: DATE_TIME },
  httpBindings: true,
  xmlNamespace: NAMESPACE,
  serviceNamespace: 'com.amazonaws.cloudfront',
};

type Schema = Parameters<typeof NormalizedSchema.of>[0];
/** An operation schema of the SDK: kind, namespace, name, traits, input, output. */
type OperationSchema = readonly [
  number,
  string,
  string,
  { readonly http: readonly [string, string, number] },
  Schema,
  Schema,
];

function operationSchema(operation: CloudFrontOperation): OperationSchema {
  return (cloudfront as unknown as Readonly<Record<string, OperationSchema>>)[`${operation}$`] as OperationSchema;
}

/** A request, as the SDK's schema of its operation reads it. */
export interface CloudFrontRequest {
  readonly operation: CloudFrontOperation;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface CloudFrontResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The wire format of CloudFront. Routes, bindings and shapes are those of the SDK's schemas, so that the double and an
 * adapter cannot agree on a format that CloudFront does not support.
 */
export const wire = {
  /** @returns undefined for an operation that the double does not know. */
  read({ method, url = '/', headers }: IncomingMessage, body: string): CloudFrontRequest | undefined {
    const { pathname } = new URL(url, 'http://double');
    for (const operation of OPERATIONS) {
      const [, , , { http }, inputSchema] = operationSchema(operation);
      const labels = http[0] === method ? matched(http[1], pathname) : undefined;
      if (!labels) continue;
      const schema = NormalizedSchema.of(inputSchema);
      const input: Record<string, unknown> = {};
      if (body !== '') Object.assign(input, new XmlShapeDeserializer(SETTINGS).read(schema, body));
      for (const [name, member] of schema.structIterator()) {
        const header = member.getMergedTraits()['httpHeader'];
        if (typeof header === 'string') input[name] = headers[header.toLowerCase()];
      }
      return { operation, input: { ...input, ...labels } };
    }
    return undefined;
  },

  write(operation: CloudFrontOperation, output: Readonly<Record<string, unknown>>): CloudFrontResponse {
    const [, , , { http }, , outputSchema] = operationSchema(operation);
    const headers: Record<string, string> = {};
    let body = '';
    for (const [name, member] of NormalizedSchema.of(outputSchema).structIterator()) {
      const traits = member.getMergedTraits();
      if (typeof traits['httpHeader'] === 'string' && output[name] !== undefined) {
        headers[traits['httpHeader']] = String(output[name]);
      }
      if (traits['httpPayload']) body = written(member, output[name]);
    }
    const isWhole = ![...NormalizedSchema.of(outputSchema).structIterator()].some(
      ([, member]) => member.getMergedTraits()['httpPayload'],
    );
    if (isWhole && http[2] !== 204) body = written(NormalizedSchema.of(outputSchema), output);
    return { status: http[2], headers: { 'content-type': 'text/xml', ...headers }, body };
  },

  writeError(status: number, code: string, message: string): CloudFrontResponse {
    const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
    const body = `${DECLARATION}<ErrorResponse xmlns="${NAMESPACE}">${error}<RequestId>double</RequestId></ErrorResponse>`;
    return { status, headers: { 'content-type': 'text/xml' }, body };
  },
};

function written(schema: NormalizedSchema, value: unknown): string {
  const serializer = new XmlShapeSerializer(SETTINGS);
  serializer.write(schema, value);
  return DECLARATION + String(serializer.flush());
}

/** @returns the values of the labels in a path such as `/distribution-tenant/{Identifier}`. */
function matched(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const groups = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
  if (!groups) return undefined;
  return Object.fromEntries(
    Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value ?? '')]),
  );
}
