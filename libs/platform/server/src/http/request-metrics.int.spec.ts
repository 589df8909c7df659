import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { type MeasuredRequest, measureRequests } from './request-metrics';

let server: FastifyInstance;
let url: string;
let requests: MeasuredRequest[];

beforeEach(async () => {
  requests = [];
  server = fastify();
  measureRequests(server, (request) => requests.push(request));
  server.get('/apps/:id', async () => ({}));
  server.post('/apps/:id', async () => Promise.reject(new Error('broken')));
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(() => server.close());

describe('measureRequests', () => {
  it('reports the pattern of the route and the class of the status', async () => {
    for (const [method, path] of [
      ['GET', '/apps/one?token=secret'],
      ['POST', '/apps/two'],
      ['DELETE', '/apps/three'],
      ['PROPFIND', '/any/path'],
    ] as const) {
      await (await fetch(url + path, { method })).text();
    }
    expect(requests.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
      'GET /apps/:id 2xx',
      'POST /apps/:id 5xx',
      'any none 4xx',
      'any none 4xx',
    ]);
    expect(requests.every(({ seconds }) => seconds > 0 && seconds < 60)).toBe(true);
  });
});
