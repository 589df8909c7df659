import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { OutageLog } from '../observability/outage-log';

const OPERATION = 'export';

/** Reports when a receiver of traces fails and recovers: the libraries drop its spans silently. */
export class ObservedExporter implements SpanExporter {
  constructor(
    private readonly inner: SpanExporter,
    private readonly outages: Pick<OutageLog, 'failed' | 'succeeded'>,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.inner.export(spans, (result) => {
      // 0 is the code of success.
      if (result.code === 0) this.outages.succeeded(OPERATION);
      else this.outages.failed(result.error, OPERATION);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.inner.forceFlush?.();
  }
}
