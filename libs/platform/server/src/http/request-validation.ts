import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { type FieldProblem, InvalidRequest } from '@homeport/kernel';

/** Validates request bodies against their classes. It rejects unknown fields and does not convert types. */
export function requestValidation(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    transform: true,
    transformOptions: { enableImplicitConversion: false },
    exceptionFactory: (errors) => new InvalidRequest('The request body has invalid fields.', fieldProblems(errors)),
  });
}

function fieldProblems(errors: readonly ValidationError[], parent = ''): FieldProblem[] {
  return errors.flatMap((error) => [
    ...Object.values(error.constraints ?? {}).map((reason) => ({ field: parent + error.property, reason })),
    ...fieldProblems(error.children ?? [], `${parent}${error.property}.`),
  ]);
}
