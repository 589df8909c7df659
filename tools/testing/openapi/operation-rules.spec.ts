import { beforeAll, describe, expect, it } from '@jest/globals';
import { BodySchemas } from './body-schemas.ts';
import {
  type DescribedOperation,
  type MediaType,
  type OpenApiDocument,
  operationsOf,
  readDocument,
  resolved,
} from './openapi-document.ts';

/** The first words of operation ids, which become names of functions. */
const VERBS =
  /^(activate|check|complete|create|delete|download|end|estimate|exchange|finish|follow|get|list|read|register|release|report|restart|retry|revoke|rollBack|set|sign|start|update|upload|write)/;
const PROBLEM = 'application/problem+json';

let document: OpenApiDocument;
let operations: DescribedOperation[];
let schemas: BodySchemas;

beforeAll(() => {
  document = readDocument();
  operations = operationsOf(document);
  schemas = new BodySchemas(document);
});

/** The operations that break a rule. */
function offenders(breaks: (each: DescribedOperation) => unknown): string[] {
  return operations.filter((each) => Boolean(breaks(each))).map(({ method, path }) => `${method} ${path}`);
}

function bodiesOf({ operation }: DescribedOperation): { status: string; type: string; media: MediaType }[] {
  const contents = Object.entries(operation.responses).map(([status, { content }]) => ({ status, content }));
  return [{ status: 'request', content: operation.requestBody?.content }, ...contents].flatMap(({ status, content }) =>
    Object.entries(content ?? {}).map(([type, media]) => ({ status, type, media })),
  );
}

function examplesOf({ example, examples = {} }: MediaType): unknown[] {
  return [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map((each) => resolved(document, each)),
  ];
}

describe('each operation of the OpenAPI document', () => {
  it('has an id that makes a good name of a function, and that no other operation has', () => {
    expect(offenders(({ operation }) => !/^[a-z]+([A-Z][a-z]+)+$|^signOut$/.test(operation.operationId))).toEqual([]);
    expect(offenders(({ operation }) => !VERBS.test(operation.operationId))).toEqual([]);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('has a summary of one line and a description that says more', () => {
    expect(offenders(({ operation }) => !/^[A-Z][^\n.]{3,70}$/.test(operation.summary ?? ''))).toEqual([]);
    expect(offenders(({ operation }) => !/^[A-Z][^]{15,}\.$/.test(operation.description ?? ''))).toEqual([]);
    expect(offenders(({ operation: { summary, description } }) => summary === description)).toEqual([]);
  });

  it('describes its parameters and responses, with an example for each part of the path', () => {
    const parameters = ({ operation }: DescribedOperation) => operation.parameters ?? [];
    expect(offenders((each) => parameters(each).some(({ description }) => !description))).toEqual([]);
    expect(
      offenders((each) =>
        parameters(each).some((one) => one.in === 'path' && (one.example ?? one.schema?.['example']) === undefined),
      ),
    ).toEqual([]);
    const responses = ({ operation }: DescribedOperation) => Object.values(operation.responses);
    expect(offenders((each) => responses(each).some(({ description }) => !description))).toEqual([]);
  });

  it('has an example of each JSON body and form, which is valid', () => {
    const faults = operations.flatMap((each) =>
      bodiesOf(each).flatMap(({ status, type, media }) => {
        if (!/json$|form-urlencoded$/.test(type)) return [];
        const at = `${each.method} ${each.path} ${status}`;
        const examples = examplesOf(media);
        if (examples.length === 0 && status !== 'default') return [`${at}: no example`];
        const values = examples.map((one) => (type === PROBLEM ? (one as { value: unknown }).value : one));
        const own = values.filter(
          (value) => !(value !== null && typeof value === 'object' && 'externalValue' in value),
        );
        return own.flatMap((value) => schemas.faults(media.schema ?? {}, value).map((fault) => `${at}: ${fault}`));
      }),
    );
    expect(faults).toEqual([]);
  });

  it('names the codes of each error, with an example that states status, code and what happened', () => {
    const problems = operations.flatMap((each) =>
      bodiesOf(each).filter(({ status, type }) => type === PROBLEM && status !== 'default'),
    );
    expect(problems.length).toBeGreaterThan(250);
    for (const { status, media } of problems) {
      for (const [code, example] of Object.entries(media.examples ?? {})) {
        const { value } = resolved(document, example) as { value: unknown };
        expect(value).toMatchObject({ status: Number(status), code, detail: expect.stringMatching(/^["A-Z].+\.$/) });
      }
    }
  });

  it('names the answers to a body that cannot be read, unless it is a GET', () => {
    const writing = operations.filter(({ method }) => !['get', 'head'].includes(method));
    const names = (status: string) => writing.filter(({ operation }) => status in operation.responses);
    expect([names('413').length, names('415').length]).toEqual([writing.length, writing.length]);
  });

  it('names its security; if it is not public, the answers to a missing and to a weak credential', () => {
    const accepts = ({ operation }: DescribedOperation, scheme: string) =>
      (operation.security ?? []).some((requirement) => scheme in requirement);
    const isPublic = ({ operation }: DescribedOperation) => operation.security?.length === 0;
    expect(offenders(({ operation }) => operation.security === undefined)).toEqual([]);
    expect(
      offenders((each) => !isPublic(each) && !('401' in each.operation.responses) && each.path !== '/auth/sign-out'),
    ).toEqual([]);
    expect(offenders((each) => accepts(each, 'bearer') && !('403' in each.operation.responses))).toEqual([]);
    const scopes = operations.flatMap(({ operation }) =>
      (operation.security ?? []).flatMap(({ token }) => token ?? []),
    );
    expect(new Set(scopes).size).toBeGreaterThan(4);
  });

  it('describes the request header for each entity tag that it sends, and the limits of each 429', () => {
    const headers = (each: DescribedOperation, status: string) => each.operation.responses[status]?.headers ?? {};
    const takes = (each: DescribedOperation, name: string) =>
      each.operation.parameters?.some((one) => one.name === name);
    expect(
      offenders((each) => each.method === 'get' && 'ETag' in headers(each, '200') && !takes(each, 'If-None-Match')),
    ).toEqual([]);
    expect(offenders((each) => takes(each, 'Range') && !('Content-Range' in headers(each, '206')))).toEqual([]);
    expect(
      offenders((each) => takes(each, 'Idempotency-Key') && !('Idempotency-Replayed' in headers(each, '201'))),
    ).toEqual([]);
    expect(offenders((each) => '429' in each.operation.responses && !('Retry-After' in headers(each, '429')))).toEqual(
      [],
    );
    expect(
      offenders(({ operation }) =>
        Object.values(operation.responses).some((one) => !('X-Request-Id' in (one.headers ?? {}))),
      ),
    ).toEqual([]);
  });
});
