import { PATH_METADATA } from '@nestjs/common/constants.js';
import { responseHeadersNamed } from '../openapi/api-headers';
import { type DomainError, problemOf, statusOf } from '@homeport/kernel';

/** An instance of an error. The OpenAPI document takes status, headers and an example of the response from it. */
export type ProblemSample = DomainError;

const PROBLEMS = 'homeport:problems';
/** The metadata of `ApiResponse`. */
const API_RESPONSES = 'swagger/apiResponse';
/** Headers that samples lack, because their values are known only when the error occurs. */
const RATE_LIMIT_HEADERS = ['retry-after', 'ratelimit', 'ratelimit-policy'];
const REQUEST_ID = '3f0f5a3e-8f0c-4d8e-9b5e-2a4c6d1b7e90';

/**
 * Documents the errors of a route, or of all routes of a controller, in OpenAPI: one response per status, with its
 * possible codes, headers and an example for each code. Several of these decorators add up.
 * @param samples one instance of each error.
 */
export function ApiProblems(...samples: readonly ProblemSample[]): MethodDecorator & ClassDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    // The decorators of methods have run before the one of their class.
    const handlers = descriptor
      ? [descriptor.value as object]
      : handlersOf((target as { prototype: object }).prototype);
    for (const handler of handlers) addProblems(handler, samples);
  };
}

function handlersOf(prototype: object): object[] {
  const values = Object.values(Object.getOwnPropertyDescriptors(prototype)).map(({ value }) => value as unknown);
  return values.filter((value) => typeof value === 'function' && Reflect.hasMetadata(PATH_METADATA, value)) as object[];
}

/** Does not use `ApiResponse`, which would repeat the descriptions of earlier decorators. */
function addProblems(handler: object, samples: readonly ProblemSample[]): void {
  const earlier = (Reflect.getMetadata(PROBLEMS, handler) ?? []) as readonly ProblemSample[];
  const all = [...new Map([...samples, ...earlier].map((sample) => [sample.code, sample])).values()];
  const responses = [...Map.groupBy(all, ({ kind }) => statusOf(kind))].map(([status, errors]) => {
    const headers = responseHeadersNamed(new Set(errors.flatMap(headerNamesOf)));
    const description = errors.map(({ code }) => `\`${code}\``).join(', ');
    return [status, { description, content: problemContent(...errors), headers }];
  });
  const others = Reflect.getMetadata(API_RESPONSES, handler) as object | undefined;
  Reflect.defineMetadata(PROBLEMS, all, handler);
  Reflect.defineMetadata(API_RESPONSES, { ...others, ...Object.fromEntries(responses) }, handler);
}

/** @returns the `content` of a response with these errors: an example for each code. */
export function problemContent(...samples: readonly ProblemSample[]): Record<string, object> {
  const examples = samples.map((sample) => [sample.code, { value: problemOf(sample, REQUEST_ID) }]);
  const schema = { $ref: '#/components/schemas/Problem' };
  return { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } };
}

function headerNamesOf({ kind, headers }: ProblemSample): string[] {
  return [...Object.keys(headers ?? {}), ...(kind === 'rate-limited' ? RATE_LIMIT_HEADERS : [])];
}
