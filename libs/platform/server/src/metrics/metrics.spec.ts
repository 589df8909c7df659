import { describe, expect, it } from '@jest/globals';
import { Metrics, type Sample } from './metrics';

const FIGURE = { type: 'gauge', name: 'test_rows', help: 'Rows.', labels: ['state'] } as const;

/** @returns the lines of a metric. */
function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('Metrics', () => {
  it('counts, and records durations', async () => {
    const metrics = new Metrics();
    const count = metrics.counter({ name: 'test_events_total', help: 'Events.', labels: ['kind'] });
    const record = metrics.durations({ name: 'test_duration_seconds', help: 'Durations.', labels: ['kind'] });
    count({ kind: 'a' });
    count({ kind: 'a' }, 2);
    record({ kind: 'a' }, 0.2);
    const text = await metrics.text();
    expect(linesOf(text, 'test_events_total')).toEqual(['test_events_total{kind="a"} 3']);
    expect(text).toContain('test_duration_seconds_bucket{le="0.1",kind="a"} 0');
    expect(text).toContain('test_duration_seconds_bucket{le="0.25",kind="a"} 1');
    expect(text).toContain('# HELP test_events_total Events.');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('reads observed values at each scrape, and forgets those that disappear', async () => {
    const metrics = new Metrics();
    let samples: Sample[] = [{ labels: { state: 'open' }, value: 2 }];
    metrics.gauge({ name: 'test_gauge', help: 'Gauge.', labels: ['state'] }, () => samples);
    metrics.observedCounter({ name: 'test_total', help: 'Counter.', labels: ['state'] }, () => samples);
    await metrics.text();
    expect(linesOf(await metrics.text(), 'test_')).toEqual([
      'test_gauge{state="open"} 2',
      'test_total{state="open"} 2',
    ]);
    samples = [{ labels: { state: 'closed' }, value: 1 }];
    expect(linesOf(await metrics.text(), 'test_gauge')).toEqual(['test_gauge{state="closed"} 1']);
  });

  it('leaves out a figure without labels that has no value', async () => {
    const metrics = new Metrics();
    let samples: Sample[] = [];
    metrics.gauge({ name: 'test_gauge', help: 'Gauge.' }, () => samples);
    metrics.observedCounter({ name: 'test_total', help: 'Counter.' }, () => samples);
    expect(linesOf(await metrics.text(), 'test_')).toEqual([]);
    samples = [{ value: 2 }];
    expect(linesOf(await metrics.text(), 'test_')).toEqual(['test_gauge 2', 'test_total 2']);
    samples = [];
    expect(linesOf(await metrics.text(), 'test_')).toEqual([]);
  });

  it('reads a source once for scrapes at the same time, and again for the next one', async () => {
    const metrics = new Metrics();
    let reads = 0;
    const read = async () => ({ test_rows: [{ labels: { state: 'a' }, value: ++reads }] });
    metrics.source({ name: 'database', figures: [FIGURE], read });
    const texts = await Promise.all([metrics.text(), metrics.text(), metrics.text()]);
    expect(new Set(texts).size).toBe(1);
    expect(reads).toBe(1);
    expect(linesOf(await metrics.text(), 'test_rows')).toEqual(['test_rows{state="a"} 2']);
  });

  it('leaves out the figures of a source that fails, says so, and includes them again', async () => {
    const metrics = new Metrics();
    let isBroken = false;
    const read = async () => {
      if (isBroken) throw new Error('unavailable');
      return { test_rows: [{ labels: { state: 'a' }, value: 1 }] };
    };
    metrics.source({ name: 'database', figures: [FIGURE], read });
    const up = async () => linesOf(await metrics.text(), 'homeport_metrics_source_up')[0];
    expect(await up()).toBe('homeport_metrics_source_up{source="database"} 1');
    isBroken = true;
    expect(await up()).toBe('homeport_metrics_source_up{source="database"} 0');
    expect(linesOf(await metrics.text(), 'test_rows')).toEqual([]);
    isBroken = false;
    expect(await up()).toBe('homeport_metrics_source_up{source="database"} 1');
    expect(linesOf(await metrics.text(), 'test_rows')).toHaveLength(1);
  });

  it('does not wait for a source that hangs', async () => {
    const metrics = new Metrics({ sourceLimitSeconds: 0.001 });
    metrics.source({ name: 'database', figures: [FIGURE], read: () => new Promise(() => undefined) });
    metrics.gauge({ name: 'test_gauge', help: 'Gauge.' }, () => [{ value: 1 }]);
    const text = await metrics.text();
    expect(text).toContain('homeport_metrics_source_up{source="database"} 0');
    expect(text).toContain('test_gauge 1');
  });
});
