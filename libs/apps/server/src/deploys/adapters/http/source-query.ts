import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { MAX_SOURCE_MESSAGE_LENGTH } from '@homeport/apps/contracts';
import { COMMIT_PATTERN, MAX_BRANCH_LENGTH, MAX_SOURCE_URL_LENGTH } from '../../domain/deploy-source';

/** Documents the query parameters that state the source of a deploy. */
export function SourceQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'branch',
      required: false,
      description: 'The branch of the sources; its alias moves to the deploy.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_BRANCH_LENGTH },
    }),
    ApiQuery({
      name: 'commit',
      required: false,
      description: 'The full id of the commit',
      schema: { type: 'string', pattern: COMMIT_PATTERN },
    }),
    ApiQuery({
      name: 'message',
      required: false,
      description: 'A note for people, such as the subject of the commit.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_SOURCE_MESSAGE_LENGTH },
    }),
    ApiQuery({
      name: 'url',
      required: false,
      description: 'A page about the source, such as the pipeline or the commit; https only.',
      schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: MAX_SOURCE_URL_LENGTH },
    }),
  );
}
