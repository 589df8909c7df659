import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

const UUID = { schema: { type: 'string', format: 'uuid' }, example: '0190d6c0-5b2e-7a31-9c44-8e1f2a3b4c5d' } as const;
const CURSOR = { description: '`next_cursor` of the previous page; absent for the first page' };
const LIMIT = { description: 'The largest number of items on the page' };

/** By the part of the path that names the parameter, or by name. */
const DESCRIPTIONS: readonly (readonly [RegExp, string, Partial<Parameter>])[] = [
  [/\/apps\/\{id\}/, 'id', { ...UUID, description: 'The id of the app' }],
  [/\/deploys\/\{id\}/, 'id', { ...UUID, description: 'The id of the deploy' }],
  [/\/domains\/\{id\}/, 'id', { ...UUID, description: 'The id of the domain' }],
  [/\/tokens\/\{id\}/, 'id', { ...UUID, description: 'The id of the token' }],
  [/\/trusts\/\{trust\}/, 'trust', { ...UUID, description: 'The id of the trust' }],
  [/./, 'cursor', CURSOR],
  [/./, 'limit', LIMIT],
];

/** Describes the parameters that have the same meaning in many operations: ids in paths, and those of pages. */
export function describeParameters(path: string, operation: Operation): Operation {
  const { parameters } = operation;
  if (parameters === undefined) return operation;
  return {
    ...operation,
    parameters: parameters.map((parameter) =>
      '$ref' in parameter ? parameter : { ...parameter, ...commonOf(path, parameter) },
    ),
  };
}

function commonOf(path: string, { name }: Parameter): Partial<Parameter> {
  const [, , common = {}] = DESCRIPTIONS.find(([pattern, each]) => each === name && pattern.test(path)) ?? [];
  return common;
}
