import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import {
  EmptyState,
  ErrorPanel,
  exactTime,
  Icon,
  PageHeader,
  type ScreenData,
  screenData,
  Skeleton,
  StaleNotice,
  translateServerText,
} from '@homeport/platform/web';
import { BillingPeriod, type UsageMonth } from '@homeport/usage/contracts';
import { BudgetCard } from '../budget/budget-card';
import { ChargedMonths } from '../charges/charged-months';
import { DailyChart } from '../days/daily-chart';
import { MonthLines } from '../month/month-lines';
import { MonthSummary } from '../month/month-summary';
import { statementPath, UsageClient } from '../usage-client';
import { monthLabel } from '../usage-messages';
import { monthsUntil, pastMonth } from './months-until';

/** What the organization uses in a month and what it costs, by the published prices. */
@Component({
  selector: 'hp-usage-page',
  imports: [
    BudgetCard,
    ChargedMonths,
    DailyChart,
    EmptyState,
    ErrorPanel,
    Icon,
    MonthLines,
    MonthSummary,
    PageHeader,
    RouterLink,
    Skeleton,
    StaleNotice,
  ],
  templateUrl: './usage-page.html',
  styleUrl: './usage-page.css',
})
export class UsagePage {
  readonly #client = inject(UsageClient);
  readonly #session = inject(AuthSession);
  readonly #router = inject(Router);
  readonly #query = toSignal(inject(ActivatedRoute).queryParamMap);

  /** The past month in the address; undefined for the current month. */
  readonly #period = computed(() => pastMonth(this.#query()?.get('period') ?? '', thisMonth()));
  protected readonly usage: ScreenData<UsageMonth> = this.#monthData(
    () => this.#period() ?? '',
    (period, signal) => this.#client.month(period === '' ? undefined : period, signal),
  );
  /** The charge of a past month. */
  protected readonly charge = this.#monthData(
    () => this.#period(),
    (period, signal) => this.#client.charge(period, signal),
  );
  protected readonly isOpen = computed(() => this.#period() === undefined);
  /** When the account was created, if that is after the month. */
  protected readonly createdLater = computed(() => {
    const month = this.usage.value();
    const end = month && BillingPeriod.parse(month.period)?.end;
    const created = month && new Date(month.account.created_at);
    return end && created && created >= end ? exactTime(created) : undefined;
  });
  protected readonly isMeteringOff = computed(() => this.usage.value()?.metering === 'off');
  protected readonly isUncharged = computed(
    () =>
      this.charge.problem()?.status === 404 &&
      !this.isMeteringOff() &&
      !this.createdLater() &&
      this.usage.value()?.account.card !== null,
  );
  protected readonly legacyNotice = computed(() => {
    const legacy = this.usage.value()?.account.legacy_plans;
    if (!legacy) return undefined;
    const plans = legacy.plans.map((label) => translateServerText(label)).join(', ');
    const words = $localize`This account has a legacy plan (${plans}:plans:). Homeport does not support it here: it is not charged by these prices.`;
    return legacy.rule === null ? words : `${words} ${translateServerText(legacy.rule)}`;
  });
  protected readonly withoutOrganization = computed(
    () => this.usage.problem()?.code === 'identity.organization-required',
  );
  protected readonly months = computed(() => {
    const shown = this.#period() ?? thisMonth();
    const createdAt = this.usage.value()?.account.created_at;
    return monthsUntil(thisMonth(), createdAt, shown).map((name) => ({
      name,
      label: monthLabel(name),
      isShown: name === shown,
    }));
  });
  protected readonly hasUsage = computed(
    () => this.usage.value()?.lines.some(({ quantity }) => quantity !== '0') ?? false,
  );
  /** The prices of a charged month are those of its charge: later prices may be in effect now. */
  protected readonly statement = computed(() => this.charge.value()?.statement ?? this.usage.value()?.statement);
  protected readonly statementPath = statementPath;

  protected show(period: string): void {
    void this.#router.navigate([], { queryParams: { period: period === thisMonth() ? null : period } });
  }

  #monthData<T>(period: () => string | undefined, load: (period: string, signal: AbortSignal) => Promise<T>) {
    return screenData({
      key: () => {
        const [scope, name] = [this.#session.userScope(), period()];
        return scope === undefined || name === undefined ? undefined : `${scope}\n${name}`;
      },
      load: (key: string, signal) => load(key.slice(key.indexOf('\n') + 1), signal),
    });
  }
}

function thisMonth(): string {
  return BillingPeriod.containing(new Date()).name;
}
