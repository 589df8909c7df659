import { describe, expect, it } from '@jest/globals';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { OutageLog } from '../observability/outage-log';
import { ObservedExporter } from './observed-exporter';

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

describe('ObservedExporter', () => {
  it('reports when the receiver fails and recovers, and passes the results on', () => {
    const lines: unknown[] = [];
    const write = ({ cause }: { cause?: string }, message: string) => void lines.push([message, cause]);
    const outages = new OutageLog('traces', { warn: write, info: write } as ConstructorParameters<typeof OutageLog>[1]);
    const results: Result[] = [
      { code: 1, error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) },
      { code: 1, error: Object.assign(new Error('x'), { code: 404 }) },
      { code: 1, error: new Error('Request timed out') },
      { code: 0 },
    ];
    const passed: Result[] = [];
    for (const result of results) {
      const inner: SpanExporter = { export: (_spans, done) => done(result), shutdown: () => Promise.resolve() };
      new ObservedExporter(inner, outages).export([], (each) => passed.push(each));
    }
    expect(passed).toEqual(results);
    expect(lines).toEqual([
      ['dependency failed', 'ECONNREFUSED'],
      ['dependency failed', 'HTTP_404'],
      ['dependency failed', 'timeout'],
      ['dependency recovered', 'timeout'],
    ]);
  });
});
