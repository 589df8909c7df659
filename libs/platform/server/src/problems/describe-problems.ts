import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { DomainError } from './domain-error';
import { statusOf } from './problem-of';

/** A way to make one sample of an error, so that the OpenAPI document is read off the errors themselves. */
export type ProblemSample = DomainError;

/** Documents the failures of a route in OpenAPI, one response a status, naming the codes it may carry. */
export function Problems(...samples: readonly ProblemSample[]): MethodDecorator & ClassDecorator {
  const codes = new Map<number, string[]>();
  for (const sample of samples) {
    const status = statusOf(sample.kind);
    codes.set(status, [...(codes.get(status) ?? []), sample.code]);
  }
  return applyDecorators(
    ...[...codes].map(([status, names]) =>
      ApiResponse({
        status,
        description: names.map((name) => `\`${name}\``).join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      }),
    ),
  );
}
