import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { CodedFailure } from '../observability/failure-cause';
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
      else this.outages.failed(withStatusAsCode(result.error), OPERATION);
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

/** The libraries report the status of a response as a number in `code`. */
function withStatusAsCode(error: Error | undefined): Error | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code !== 'number') return error;
  return new CodedFailure(`HTTP_${code}`, 'The receiver rejects the spans.', { cause: error });
}
