import type { Metrics } from '../metrics/metrics';
import type { Tracing, TracingOptions } from '../tracing/tracing';

export interface ObservationSettings {
  readonly MANAGEMENT_PORT?: number | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

/** Loads the metrics only where they can be read: they take 25 ms of the start. @returns undefined elsewhere. */
export async function metricsFor({ MANAGEMENT_PORT }: ObservationSettings): Promise<Metrics | undefined> {
  if (MANAGEMENT_PORT === undefined) return undefined;
  const { Metrics } = await import('../metrics/metrics');
  return new Metrics();
}

/** Loads the libraries only where spans are sent: they take time and memory. @returns undefined elsewhere. */
export async function tracingFor(
  { OTEL_EXPORTER_OTLP_ENDPOINT }: ObservationSettings,
  options: TracingOptions,
): Promise<Tracing | undefined> {
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { startTracing } = await import('../tracing/tracing');
  return startTracing(options);
}
