import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { referenceDocument } from './reference-document';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

let document: OpenAPIObject;
let published: OpenAPIObject;

beforeAll(async () => {
  document = await referenceDocument();
  published = await referenceDocument({ PUBLIC_URL: 'https://homeport.example.net' });
});

function operation(method: 'get' | 'put' | 'post' | 'delete' | 'head', path: string): Operation {
  return document.paths[path]?.[method] as Operation;
}

function parameterNames({ parameters = [] }: Operation): string[] {
  return parameters.map((parameter) => ('name' in parameter ? parameter.name : parameter.$ref));
}

function headerNames({ responses }: Operation, status: number): string[] {
  const response = responses[status];
  return response !== undefined && 'headers' in response ? Object.keys(response.headers ?? {}) : [];
}

async function redocly(source: OpenAPIObject): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(source), absoluteRef: '/openapi.json', config });
  return problems.map(({ severity, ruleId, location: [at] }) => `${severity} ${ruleId} ${at?.pointer}`);
}

async function spectral(source: OpenAPIObject): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
  const results = await linter.run(JSON.stringify(source));
  return results.map(({ severity, code, path }) => `${severity} ${code} ${path.join('/')}`);
}

describe('the OpenAPI document', () => {
  it('matches apps/api/openapi.json, which `npm run openapi` regenerates', () => {
    const golden: unknown = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(document))).toEqual(golden);
  });

  it('passes the recommended rules of redocly', async () => {
    expect(await redocly(published)).toEqual([]);
  });

  it('passes the recommended rules of spectral', async () => {
    expect(await spectral(published)).toEqual([]);
  });

  it('is checked by linters that report an invalid document', async () => {
    const faulty = { openapi: '3.1.1', info: published.info, paths: { '/x/{y}': { get: { responses: {} } } } } as never;
    expect(await redocly(faulty)).toEqual(expect.arrayContaining([expect.stringContaining('error security-defined')]));
    expect(await spectral(faulty)).toEqual(expect.arrayContaining([expect.stringContaining('0 path-params')]));
  });

  it('contains schemas that a JSON Schema 2020-12 validator compiles', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'openapi.json', ...JSON.parse(JSON.stringify(document)) });
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names).toEqual(expect.arrayContaining(['AppBody', 'PricingStatement', 'Problem']));
    for (const name of names) ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` });
    const isProblem = ajv.compile({ $ref: 'openapi.json#/components/schemas/Problem' });
    expect([isProblem({}), JSON.stringify(document).includes('"$id"')]).toEqual([false, false]);
  });

  it('contains the server and the session cookie of the installation', () => {
    expect(document.servers).toEqual([expect.objectContaining({ url: 'http://localhost:3000' })]);
    expect(document.components?.securitySchemes?.['cookie']).toMatchObject({ name: 'homeport_session' });
    expect(published.servers).toEqual([expect.objectContaining({ url: 'https://homeport.example.net' })]);
    expect(published.components?.securitySchemes?.['cookie']).toMatchObject({ name: '__Host-homeport_session' });
  });
});

describe('file operations', () => {
  const path = '/api/files/{path}';

  it.each(['get', 'head', 'put', 'delete'] as const)('document the path parameter of %s', (method) => {
    expect(operation(method, path).parameters).toContainEqual(
      expect.objectContaining({
        name: 'path',
        in: 'path',
        required: true,
        description: expect.stringContaining("path.split('/').map(encodeURIComponent).join('/')"),
      }),
    );
    expect(parameterNames(operation(method, path))).not.toContain('*');
  });

  it('accept and return bytes of any media type', () => {
    const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } };
    expect(operation('put', path).requestBody).toMatchObject({ required: true, content: bytes });
    expect(operation('get', path).responses['200']).toMatchObject({ content: bytes });
    expect(operation('head', path).responses['200']).not.toHaveProperty('content');
  });

  it('document conditional, range and digest headers', () => {
    expect(parameterNames(operation('get', path))).toEqual(
      expect.arrayContaining(['If-Match', 'If-None-Match', 'Range', 'If-Range']),
    );
    expect(parameterNames(operation('head', path))).not.toContain('Range');
    expect(parameterNames(operation('put', path))).toEqual(
      expect.arrayContaining(['If-Match', 'If-None-Match', 'Content-Digest', 'Repr-Digest', 'Content-MD5']),
    );
    expect(headerNames(operation('get', path), 206)).toEqual(
      expect.arrayContaining(['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Range', 'X-Request-Id']),
    );
    expect(headerNames(operation('put', path), 201)).toEqual(expect.arrayContaining(['ETag', 'Location', 'RateLimit']));
    expect(headerNames(operation('put', path), 412)).toContain('ETag');
  });
});

describe('every operation', () => {
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, { get, put, post, patch, delete: remove }]) =>
      [get, put, post, patch, remove].flatMap((each) => (each === undefined ? [] : [{ path, each }])),
    );

  it('has a description, a defined tag and a security requirement, which is empty for public operations', () => {
    const tags = document.tags?.map(({ name }) => name);
    for (const { path, each } of operations()) {
      expect([path, each.description]).toEqual([path, expect.stringMatching(/./)]);
      expect(tags).toEqual(expect.arrayContaining(each.tags ?? ['none']));
      expect([path, each.security]).toEqual([path, expect.any(Array)]);
    }
  });

  it('documents 400 for unknown query parameters, except where they are ignored', () => {
    const without = operations().filter(({ each }) => !('400' in each.responses));
    expect(without.map(({ path }) => path)).toEqual(['/auth/callback', '/v1/pricing']);
  });

  it('documents the headers of error responses', () => {
    for (const { path, each } of operations()) {
      if ('401' in each.responses)
        expect([path, headerNames(each, 401)]).toEqual([path, expect.arrayContaining(['WWW-Authenticate'])]);
      if ('429' in each.responses)
        expect(headerNames(each, 429)).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit']));
      if ('503' in each.responses)
        expect([path, headerNames(each, 503)]).toEqual([path, expect.arrayContaining(['Retry-After'])]);
    }
  });
});

describe('the deploy upload', () => {
  it('accepts the bytes of an archive', () => {
    const bytes = { schema: { type: 'string', format: 'binary' } };
    expect(operation('post', '/api/apps/{id}/deploys').requestBody).toMatchObject({
      content: { 'application/gzip': bytes, 'application/zip': bytes },
    });
  });
});
