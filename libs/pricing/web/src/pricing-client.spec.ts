// Angular's published code is linked at run time outside a build.
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

let asked: { cache?: string; timeout?: number }[];
let failure: HttpProblem | undefined;

const http = {
  get: (_url: string, options: { cache?: string; timeout?: number }) => {
    asked.push(options);
    return failure ? throwError(() => failure) : of(statement);
  },
};

function client(): PricingClient {
  return Injector.create({ providers: [PricingClient, { provide: HttpClient, useValue: http }] }).get(PricingClient);
}

beforeEach(() => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  asked = [];
  failure = undefined;
});

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

describe('the pricing client', () => {
  it('reads the statement past the cache, and waits for as long as there is nothing else to show', async () => {
    const read = await client().statement();
    expect(read).toMatchObject({ statement });
    expect(read.problem).toBeUndefined();
    await client().statement();
    expect(asked.map(({ cache }) => cache)).toEqual(['no-cache', 'no-cache']);
    expect(asked.map(({ timeout }) => timeout !== undefined)).toEqual([false, true]);
  });

  it.each<FailureKind>(['offline', 'unreachable', 'unexpected'])(
    'shows what it kept when the API is %s, together with why',
    async (kind) => {
      failure = problem(kind);
      await expect(client().statement()).rejects.toBe(failure);
      failure = undefined;
      const { readAt } = await client().statement();
      failure = problem(kind);
      await expect(client().statement()).resolves.toEqual({ statement, readAt, problem: failure });
    },
  );

  it('passes on that the API refuses, whatever it kept', async () => {
    await client().statement();
    failure = problem('refused');
    await expect(client().statement()).rejects.toBe(failure);
  });
});
