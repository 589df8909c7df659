import { describe, expect, it } from '@jest/globals';
import Fastify from 'fastify';
import { isUnderApi, markApiResponsesPrivate } from './private-responses';

async function cachingHeadersFor(headers: Record<string, string>, url = '/api/sample') {
  const fastify = Fastify();
  markApiResponsesPrivate(fastify);
  fastify.get(url, async (_request, reply) => reply.headers(headers).send('body'));
  const { headers: sent } = await fastify.inject({ url });
  await fastify.close();
  return [sent['cache-control'], sent['vary']];
}

describe('markApiResponsesPrivate', () => {
  it('adds missing caching headers', async () => {
    expect(await cachingHeadersFor({})).toEqual(['private, no-store', 'Authorization']);
  });

  it.each([
    [{ 'cache-control': 'private, no-cache', vary: 'authorization' }, ['private, no-cache', 'authorization']],
    [{ 'cache-control': 'no-store', vary: 'Accept' }, ['private, no-store', 'Accept, Authorization']],
    [{ vary: 'X-Authorization' }, ['private, no-store', 'X-Authorization, Authorization']],
    [{ vary: '*' }, ['private, no-store', '*']],
  ])('completes %j', async (headers, expected) => {
    expect(await cachingHeadersFor(headers)).toEqual(expected);
  });

  it('does not change responses outside /api', async () => {
    expect(await cachingHeadersFor({}, '/v1/sample')).toEqual([undefined, undefined]);
  });
});

describe('isUnderApi', () => {
  it.each([
    '/api',
    '/api/',
    '/api?x',
    '/api/apps',
    '/API/apps',
    '/%61pi/apps',
    '//api/x',
    'http://host/api/x',
    '/api%2Fx',
  ])('is true of %s', (target) => expect(isUnderApi(target)).toBe(true));

  it.each(['/', '/apis', '/v1/api/x', '/?/api/', '/%zz/api', '*'])('is false of %s', (target) =>
    expect(isUnderApi(target)).toBe(false),
  );
});
