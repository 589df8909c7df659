/** Usage and charges as the API returns them, with fixed values. */
import type { Page } from '@playwright/test';
import { UNAVAILABLE } from '../app-steps';
import type { State } from './screen-state';
import { NOW } from './workspace-fixtures';

const STATEMENT = {
  version: '2026-10-01',
  sha256: '0e1af31a0b0b2f3fceca22f306674f75b1d3464cc5a60b9c487a295856253348',
};

const line = (item: string, label: string, more: object) => ({
  ...{ item, label, unit: 'call', waived: false, in_trial: false, late_quantity: '0' },
  ...more,
});
const LINES = [
  line('gateway-call', 'Gateway call', { quantity: '182400', unit_usd: '0.0004', amount_usd: '72.96' }),
  line('tool-call', 'Tool-protocol call', {
    ...{ quantity: '15921', unit_usd: '0.001', amount_usd: '15.92', late_quantity: '120' },
  }),
  line('storage', 'Storage', { unit: 'gb-month', quantity: '41.5', unit_usd: '0.05', amount_usd: '2.08' }),
  line('vault', 'Vault', {
    ...{ unit: 'vault-month', quantity: '0.935482', unit_usd: '5', amount_usd: '0', waived: true, in_trial: true },
  }),
  line('secret', 'Secret', { unit: 'secret-month', quantity: '0', unit_usd: '0.05', amount_usd: '0' }),
];
export const MONTH = {
  period: '2026-11',
  as_of: NOW.toISOString(),
  metering: 'on',
  account: {
    ...{ created_at: '2026-10-02T08:00:00Z', card: '2026-10-01', monthly_included_usd: '10' },
    ...{ legacy_plans: null, trial: null },
  },
  lines: LINES,
  ...{ included_usd: '10', trial_covered_usd: '0', total_usd: '80.96', projected_total_usd: '131.44' },
  statement: STATEMENT,
};
const CHARGE = {
  ...{ period: '2026-10', total_usd: '80.96', corrected_total_usd: '75.46' },
  ...{ charged_at: '2026-11-02T00:04:00Z', card: '2026-10-01' },
  statement: STATEMENT,
};
const CORRECTION = {
  ...{ reference: 'T-1042', item: 'storage', amount_usd: '-5.5', corrected_at: '2026-11-12T09:00:00Z' },
  reason: 'The storage was not available on 12 October.',
  sentence: 'Correction T-1042 of the charge of 2026-10: -5.5 USD. The storage was not available on 12 October.',
};

function days(item: string, period: string) {
  return Array.from({ length: NOW.getUTCDate() }, (_, at) => ({
    day: `${period}-${String(at + 1).padStart(2, '0')}`,
    quantity: item === 'storage' ? '1.5' : String(400 + ((at * 7919) % 900)),
  }));
}

/** Mocks the calls for usage, charges and the budget. */
export async function mockUsageApi(page: Page, state: State): Promise<void> {
  const answer = (pattern: string | RegExp, body: (url: URL) => object, whenEmpty = body) =>
    page.route(pattern, (route) => {
      // No response, so the page keeps loading.
      if (state === 'loading') return undefined;
      if (state === 'failed') return route.fulfill(UNAVAILABLE);
      return route.fulfill({ json: (state === 'empty' ? whenEmpty : body)(new URL(route.request().url())) });
    });
  const unused = { ...MONTH, lines: [], included_usd: '0', total_usd: '0', projected_total_usd: '0' };
  await answer(
    /\/api\/usage(\?.*)?$/,
    ({ searchParams }) => ({ ...MONTH, period: searchParams.get('period') ?? MONTH.period }),
    () => unused,
  );
  await answer(/\/api\/usage\/daily/, ({ searchParams }) => ({
    items: days(searchParams.get('item') ?? '', searchParams.get('period') ?? ''),
  }));
  await answer(
    '**/api/charges',
    () => ({ items: [CHARGE], next_cursor: null }),
    () => ({ items: [], next_cursor: null }),
  );
  await answer(/\/api\/charges\/.+/, () => ({
    ...{ ...CHARGE, corrections: [CORRECTION], included_usd: '10', trial_covered_usd: '0' },
    lines: LINES.map((each) => ({ ...each, sentence: `${each.label}: by price list 2026-10-01.` })),
  }));
  await answer(
    '**/api/budget',
    () => ({ monthly_usd: '100', notify_at: [50, 75, 100] }),
    () => ({ monthly_usd: null, notify_at: [50, 75, 100] }),
  );
}
