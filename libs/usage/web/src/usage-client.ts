import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { responseOf } from '@homeport/platform/web';
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
    return responseOf(this.#http.get<UsageMonth>(`/api/usage${query}`), signal);
  }

  days(period: string, item: string, signal?: AbortSignal): Promise<DailyUsage> {
    const query = new URLSearchParams({ period, item });
    return responseOf(this.#http.get<DailyUsage>(`/api/usage/daily?${query}`), signal);
  }

  charges(signal?: AbortSignal): Promise<ChargeList> {
    return responseOf(this.#http.get<ChargeList>('/api/charges'), signal);
  }

  charge(period: string, signal?: AbortSignal): Promise<ChargedMonth> {
    return responseOf(this.#http.get<ChargedMonth>(chargePath(period)), signal);
  }

  file(period: string, format: ChargeFormat): Promise<Blob> {
    const query = format === 'focus' ? '?format=focus' : '';
    const options = { responseType: 'blob', headers: { accept: 'text/csv' } } as const;
    return responseOf(this.#http.get(`${chargePath(period)}${query}`, options));
  }

  budget(signal?: AbortSignal): Promise<Budget> {
    return responseOf(this.#http.get<Budget>('/api/budget'), signal);
  }

  saveBudget(budget: BudgetRequest): Promise<Budget> {
    return responseOf(this.#http.put<Budget>('/api/budget', budget));
  }

  /** The published statement that prices a month. */
  statement({ version }: StatementReference): Promise<PricingStatement> {
    return responseOf(this.#http.get<PricingStatement>(statementPath(version)));
  }
}

/** The address of the bytes of a statement. */
export function statementPath(version: string): string {
  return `/v1/pricing/versions/${encodeURIComponent(version)}`;
}

function chargePath(period: string): string {
  return `/api/charges/${encodeURIComponent(period)}`;
}
