// Outside a build, Angular's published code is linked at run time.
import '@angular/compiler';
import { HttpClient } from '@angular/common/http';
import { Injector } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PricingStatement } from '@homeport/pricing/contracts';
import { HttpProblem, type FailureKind } from '@homeport/platform/web';
import { of, throwError } from 'rxjs';
import { PricingClient } from './pricing-client';
import { card } from './testing/example-card';

const statement = { version: '2026-10-01', usage: card, upcoming: [] } as unknown as PricingStatement;
const problem = (kind: FailureKind) =>
  new HttpProblem({ kind, status: 0, title: 'No', detail: 'No.', code: `client.${kind}` });

let requests: { cache?: string; timeout?: number }[];
let failure: HttpProblem | undefined;

const http = {
  get: (_url: string, options: { cache?: string; timeout?: number }) => {
    requests.push(options);
    return failure ? throwError(() => failure) : of(statement);
  },
};

function client(): PricingClient {
  return Injector.create({ providers: [PricingClient, { provide: HttpClient, useValue: http }] }).get(PricingClient);
}

beforeEach(() => {
  const stored = new Map<string, string>();
  const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: stored.set.bind(stored) };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  requests = [];
  failure = undefined;
});

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

describe('PricingClient', () => {
  it('revalidates the statement, and sets a timeout only when a cached one exists', async () => {
    const read = await client().statement();
    expect(read).toMatchObject({ statement });
    expect(read.problem).toBeUndefined();
    await client().statement();
    expect(requests.map(({ cache }) => cache)).toEqual(['no-cache', 'no-cache']);
    expect(requests.map(({ timeout }) => timeout !== undefined)).toEqual([false, true]);
  });

  it.each<FailureKind>(['offline', 'unreachable', 'unexpected'])(
    'returns the cached statement with the problem when the API is %s',
    async (kind) => {
      failure = problem(kind);
      await expect(client().statement()).rejects.toBe(failure);
      failure = undefined;
      const { readAt } = await client().statement();
      failure = problem(kind);
      await expect(client().statement()).resolves.toEqual({ statement, readAt, problem: failure });
    },
  );

  it('rejects when the API rejects the request, even with a cached statement', async () => {
    await client().statement();
    failure = problem('refused');
    await expect(client().statement()).rejects.toBe(failure);
  });
});
