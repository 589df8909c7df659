import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { problemFrom, responseOf } from '@homeport/platform/web';
import { map, type Observable } from 'rxjs';
import type { PricingStatement } from '@homeport/pricing/contracts';
import type {
  Budget,
  BudgetRequest,
  ChargedMonth,
  ChargeList,
  DailyUsage,
  StatementReference,
  UsageMonth,
} from '@homeport/usage/contracts';

/** A charge as a file: the columns of Homeport, or those of FOCUS. */
export type ChargeFormat = 'csv' | 'focus';

/** Reads usage and charges of the organization in the access token. Every method throws `HttpProblem` on failure. */
@Service()
export class UsageClient {
  readonly #http = inject(HttpClient);

  /** @param period such as `2026-11`; default: the current month in UTC. */
  month(period?: string, signal?: AbortSignal): Promise<UsageMonth> {
    const query = period === undefined ? '' : `?${new URLSearchParams({ period })}`;
    return this.#get(`/api/usage${query}`, ['account', 'lines', 'statement'], signal);
  }

  days(period: string, item: string, signal?: AbortSignal): Promise<DailyUsage> {
    const query = new URLSearchParams({ period, item });
    return this.#get(`/api/usage/daily?${query}`, ['items'], signal);
  }

  charges(signal?: AbortSignal): Promise<ChargeList> {
    return this.#get('/api/charges', ['items'], signal);
  }

  charge(period: string, signal?: AbortSignal): Promise<ChargedMonth> {
    return this.#get(chargePath(period), ['lines', 'corrections', 'statement'], signal);
  }

  file(period: string, format: ChargeFormat): Promise<Blob> {
    const query = format === 'focus' ? '?format=focus' : '';
    const options = { responseType: 'blob', headers: { accept: 'text/csv' } } as const;
    return responseOf(this.#http.get(`${chargePath(period)}${query}`, options));
  }

  budget(signal?: AbortSignal): Promise<Budget> {
    return this.#get('/api/budget', ['notify_at'], signal);
  }

  saveBudget(budget: BudgetRequest): Promise<Budget> {
    return responseOf(this.#http.put<Budget>('/api/budget', budget));
  }

  /** The published statement that prices a month. */
  statement({ version }: StatementReference): Promise<PricingStatement> {
    return this.#get(statementPath(version), ['usage']);
  }

  #get<T extends object>(path: string, fields: readonly (keyof T)[], signal?: AbortSignal): Promise<T> {
    return responseOf(withFields(this.#http.get<T>(path), fields), signal);
  }
}

/** Rejects the response of another server, such as a proxy, that is JSON too. */
function withFields<T extends object>(call: Observable<T>, fields: readonly (keyof T)[]): Observable<T> {
  return call.pipe(
    map((body) => {
      if (fields.every((field) => typeof body[field] === 'object' && body[field] !== null)) return body;
      throw problemFrom({ status: 200, body: '', requestId: null, online: true });
    }),
  );
}

/** The address of the bytes of a statement. */
export function statementPath(version: string): string {
  return `/v1/pricing/versions/${encodeURIComponent(version)}`;
}

function chargePath(period: string): string {
  return `/api/charges/${encodeURIComponent(period)}`;
}
