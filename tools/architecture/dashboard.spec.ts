import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets: readonly { readonly expr: string }[];
}

const path = resolve(import.meta.dirname, '../../deploy/dashboards/homeport.json');
const { panels } = JSON.parse(readFileSync(path, 'utf8')) as { panels: readonly Panel[] };
const charts = panels.filter(({ type }) => type === 'timeseries');

/** The unit of the values of an expression, by the form of the expression and the name of its first metric. */
function unitOf(expression: string): string {
  const isRate = expression.includes('rate(');
  const isRatio = / \/ /.test(expression);
  if (isRatio || /^rate\(process_cpu_seconds_total/.test(expression)) return 'percentunit';
  if (expression.startsWith('histogram_quantile(')) return 's';
  if (isRate) return 'reqps';
  const [metric = ''] = /(?:homeport|nodejs|process)_\w+/.exec(expression) ?? [];
  if (metric.endsWith('_bytes')) return 'bytes';
  return metric.endsWith('_seconds') ? 's' : 'short';
}

describe('the dashboard', () => {
  it.each(charts.map((panel) => [panel.title, panel] as const))('has one unit in the panel %s', (_, panel) => {
    const units = panel.targets.map(({ expr }) => unitOf(expr));
    expect([...new Set(units)]).toEqual([panel.fieldConfig.defaults.unit]);
  });

  it('has distinct panels that do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });
});
