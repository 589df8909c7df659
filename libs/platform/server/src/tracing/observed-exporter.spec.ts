import { describe, expect, it } from '@jest/globals';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { OutageLog } from '../observability/outage-log';
import { ObservedExporter } from './observed-exporter';

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

describe('ObservedExporter', () => {
  it('reports when the receiver fails and recovers, and passes the results on', () => {
    const lines: string[] = [];
    const write = (_fields: object, message: string) => void lines.push(message);
    const outages = new OutageLog('traces', { warn: write, info: write } as ConstructorParameters<typeof OutageLog>[1]);
    const results: Result[] = [
      { code: 1, error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) },
      { code: 1, error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) },
      { code: 0 },
    ];
    const inner: SpanExporter = {
      export: (_spans, done) => done(results[passed.length] as Result),
      shutdown: () => Promise.resolve(),
    };
    const passed: Result[] = [];
    const exporter = new ObservedExporter(inner, outages);
    for (let i = 0; i < 3; i += 1) exporter.export([], (result) => passed.push(result));
    expect(passed).toEqual(results);
    expect(lines).toEqual(['dependency failed', 'dependency recovered']);
  });
});
