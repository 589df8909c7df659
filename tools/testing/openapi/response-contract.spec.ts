import { describe, expect, it } from '@jest/globals';
import { readDocument, resolved } from './openapi-document.ts';
import { type Exchange, ResponseContract } from './response-contract.ts';

const document = readDocument();
const contract = new ResponseContract(document);
const APP = document.paths['/api/apps/{id}']?.['get']?.responses['200']?.content?.['application/json']
  ?.example as object;
const PRIVATE = { 'cache-control': 'private, no-store', vary: 'Authorization', 'x-request-id': 'one' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const PROBLEM_TYPE = { 'content-type': 'application/problem+json; charset=utf-8' };

function differences(route: string, status: number, headers: object, body?: unknown): string[] {
  const [method = '', path = ''] = route.split(' ');
  const text = body === undefined ? undefined : JSON.stringify(body);
  const all = new Headers({ ...PRIVATE, ...headers });
  const exchange: Exchange = { method, url: `http://localhost${path}`, status, headers: all, body: text };
  return contract.violations(exchange).map((each) => each.slice(each.indexOf(': ') + 2));
}

function problem(code: string): unknown {
  return resolved(document, { $ref: `#/components/examples/${code}` } as { value?: unknown }).value;
}

describe('a response', () => {
  it('that is described has no differences', () => {
    expect(differences('GET /api/apps/1', 200, JSON_TYPE, APP)).toEqual([]);
    expect(differences('GET /api/apps/1', 404, PROBLEM_TYPE, problem('apps.not-found'))).toEqual([]);
    expect(differences('DELETE /api/files/a/b.md', 204, {})).toEqual([]);
    expect(differences('GET /api/none', 404, PROBLEM_TYPE, problem('files.not-found'))).not.toEqual([]);
    expect(differences('GET /docs/anything', 200, { 'content-type': 'text/html' })).toEqual([]);
  });

  it('differs by operation, status, media type and code', () => {
    expect(differences('PUT /api/apps/1', 200, JSON_TYPE, APP)).toEqual(['the document has no such operation']);
    expect(differences('GET /api/apps/1', 418, JSON_TYPE, APP)).toEqual([expect.stringContaining('no such status')]);
    expect(differences('GET /api/apps/1', 200, { 'content-type': 'text/plain' })).toEqual([
      'text/plain is no described media type',
    ]);
    expect(differences('GET /api/apps/1', 404, PROBLEM_TYPE, problem('files.not-found'))).toEqual([
      'the code files.not-found is not described',
    ]);
  });

  it('differs by a missing, a wrong and an undescribed field', () => {
    const unnamed = Object.entries(APP).filter(([name]) => name !== 'name');
    expect(differences('GET /api/apps/1', 200, JSON_TYPE, Object.fromEntries(unnamed))).toEqual([
      expect.stringContaining('name'),
    ]);
    expect(differences('GET /api/apps/1', 200, JSON_TYPE, { ...APP, created_at: 'today' })).toHaveLength(1);
    expect(differences('GET /api/apps', 200, JSON_TYPE, { items: [{ ...APP, more: 1 }], next_cursor: null })).toEqual([
      expect.stringContaining('more'),
    ]);
  });

  it('differs by a missing and by an undescribed header of the contract', () => {
    const headers = new Headers({ ...PRIVATE, ...JSON_TYPE });
    headers.delete('vary');
    const exchange = { method: 'GET', url: 'http://localhost/api/apps/1', status: 200, headers };
    expect(contract.violations(exchange)).toEqual([expect.stringContaining('the header Vary is missing')]);
    expect(differences('GET /api/apps/1', 200, { ...JSON_TYPE, etag: '"1"' }, APP)).toEqual([
      'the header ETag is not described',
    ]);
  });
});
