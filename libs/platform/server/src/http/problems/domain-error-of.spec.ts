import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  ImATeapotException,
  InternalServerErrorException,
  NotFoundException,
  PayloadTooLargeException,
  ServiceUnavailableException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import {
  InternalError,
  InvalidRequest,
  NoRoute,
  PayloadTooLarge,
  problemOf,
  RateLimited,
  UnsupportedMediaType,
} from '@homeport/kernel';
import { domainErrorOf } from './domain-error-of';

/** An error as a framework throws it: an `Error` with a status. */
function fastifyError(statusCode: unknown): Error {
  return Object.assign(new Error('FST_ERR: internal words'), { statusCode, code: 'FST_ERR' });
}

describe('domainErrorOf', () => {
  it('returns domain errors unchanged', () => {
    const error = new RateLimited({});
    expect(domainErrorOf(error)).toBe(error);
  });

  it.each([
    [new NotFoundException('Cannot GET /secret'), NoRoute],
    [fastifyError(404), NoRoute],
    [new PayloadTooLargeException(), PayloadTooLarge],
    [fastifyError(413), PayloadTooLarge],
    [new UnsupportedMediaTypeException(), UnsupportedMediaType],
    [fastifyError(415), UnsupportedMediaType],
    [new BadRequestException(), InvalidRequest],
    [new ForbiddenException(), InvalidRequest],
    [new ImATeapotException(), InvalidRequest],
    [fastifyError(400), InvalidRequest],
    [fastifyError(499), InvalidRequest],
  ])('maps errors of the framework by their status (case %#)', (thrown, expected) => {
    const error = domainErrorOf(thrown);
    expect(error).toBeInstanceOf(expected);
    expect(JSON.stringify(problemOf(error, ''))).not.toMatch(/secret|internal words/);
  });

  it.each([
    new Error('connect ECONNREFUSED 10.0.0.7:5432'),
    new TypeError("Cannot read properties of undefined (reading 'bucket')"),
    new InternalServerErrorException('connect to 10.0.0.7'),
    new ServiceUnavailableException({ details: '10.0.0.7' }),
    new HttpException('10.0.0.7', 302),
    fastifyError(500),
    fastifyError(399),
    fastifyError('404'),
    fastifyError(undefined),
    { statusCode: 404 },
    'a string',
    undefined,
    null,
    0,
  ])('maps every other error to an internal error without details (case %#)', (thrown) => {
    const error = domainErrorOf(thrown);
    expect(error).toBeInstanceOf(InternalError);
    expect(error.cause).toBe(thrown);
    expect(problemOf(error, 'request-1')).toStrictEqual({
      type: 'urn:homeport:problem:platform.internal-error',
      title: 'Internal server error',
      status: 500,
      detail: 'Something went wrong on the server. Include the request ID when you report the problem.',
      code: 'platform.internal-error',
      request_id: 'request-1',
    });
  });
});
