import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { Sample } from '@homeport/platform/server/metrics';
import { parse } from 'yaml';
import { OVERDUE_LIMITS, OverdueWorkLog } from './overdue-work';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert?: string; readonly expr: string }[] }[];
}

type Figures = Readonly<Record<string, readonly Sample[]>>;

/** @returns the lines of one check of sources. */
async function linesOf(...read: (() => Promise<Figures>)[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  const write = (fields: unknown, msg?: string) => lines.push({ ...(fields as object), msg });
  await new OverdueWorkLog(
    read.map((each) => ({ read: each })),
    { warn: write, error: write } as never,
  ).check();
  return lines;
}

const LATE: Figures = {
  homeport_job_queue_oldest_due_seconds: [
    { labels: { task: 'apps.dns' }, value: 300.4 },
    { labels: { task: 'usage.months' }, value: 12 },
  ],
  homeport_dns_records: [
    { labels: { state: 'settled' }, value: 70 },
    { labels: { state: 'failed' }, value: 2 },
  ],
};
const OVERDUE = 'background work is overdue';

describe('the log of overdue work', () => {
  it('has a line for each figure above its limit', async () => {
    const months = () => Promise.resolve({ homeport_usage_months_overdue: [{ value: 1 }] });
    expect(await linesOf(() => Promise.resolve(LATE), months)).toEqual([
      { msg: OVERDUE, figure: 'homeport_job_queue_oldest_due_seconds', task: 'apps.dns', value: 300 },
      { msg: OVERDUE, figure: 'homeport_dns_records', state: 'failed', value: 2 },
      { msg: OVERDUE, figure: 'homeport_usage_months_overdue', value: 1 },
    ]);
  });

  it('has lines at the start already', async () => {
    const months = { homeport_usage_months_overdue: [{ value: 1 }] };
    const written = new Promise((resolve) => {
      const log = new OverdueWorkLog([{ read: () => Promise.resolve(months) }], {
        warn: resolve,
        error: resolve,
      } as never);
      log.start();
      log.stop();
    });
    expect(await written).toEqual({ figure: 'homeport_usage_months_overdue', value: 1 });
  });

  it('is silent at the limits', async () => {
    const figures = Object.fromEntries(
      OVERDUE_LIMITS.map(({ figure, labels, above }) => [figure, [{ ...(labels && { labels }), value: above }]]),
    );
    expect(await linesOf(() => Promise.resolve(figures))).toEqual([]);
  });

  it('leaves an outage of PostgreSQL to its own line, and continues after other errors', async () => {
    const fails = (error: Error) => () => Promise.reject(error);
    const defect = new TypeError('no rows');
    expect(
      await linesOf(fails(new DatabaseUnavailable()), fails(defect), () =>
        Promise.resolve({ homeport_usage_behind_seconds: [{ value: 1_000 }] }),
      ),
    ).toEqual([
      { err: defect, msg: 'overdue work could not be read' },
      { msg: OVERDUE, figure: 'homeport_usage_behind_seconds', value: 1_000 },
    ]);
  });

  it('has the limits of the alert rules', () => {
    const path = resolve(import.meta.dirname, '../../../deploy/alerts/homeport.yml');
    const { groups } = parse(readFileSync(path, 'utf8')) as Rules;
    const expressions = groups.flatMap(({ rules }) => rules).flatMap(({ alert, expr }) => (alert ? [expr] : []));
    for (const { figure, labels, above } of OVERDUE_LIMITS) {
      const selected = figure + (labels ? `{state="${labels['state']}"}` : '');
      expect(expressions).toContainEqual(expect.stringMatching(new RegExp(`${selected}\\)? > ${above}$`)));
    }
  });
});
