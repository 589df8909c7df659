import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Label values by label name. Each value comes from a small closed set: never an id, a path, a host or a person. */
export type Labels = Readonly<Record<string, string>>;

export interface MetricDescription {
  /** In base units; counters end with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A value that is read at the time of a scrape, so that it costs nothing in between. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** Figures that are read together. */
export interface FigureSource {
  /** A short constant; the label of `homeport_metrics_source_up`. */
  readonly name: string;
  readonly figures: readonly (MetricDescription & { readonly type: 'gauge' | 'counter' })[];
  /** @returns the samples by the name of the figure. A rejection leaves the figures of the source out of the scrape. */
  read(): Promise<Readonly<Record<string, readonly Sample[]>>>;
}

export interface MetricsOptions {
  /** Seconds that the sources may take; the others are left out of the scrape. Default: 3. */
  readonly sourceLimitSeconds?: number;
}

/** Seconds. From a cached file to the longest wait for a dependency. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SOURCE_LIMIT_SECONDS = 3;

/** The metrics of this process, in the format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #sources: (() => Promise<void>)[] = [];
  readonly #sourceUp: Gauge;
  readonly #sourceLimitMs: number;
  #scrape: Promise<string> | undefined;

  constructor({ sourceLimitSeconds = SOURCE_LIMIT_SECONDS }: MetricsOptions = {}) {
    this.#sourceLimitMs = sourceLimitSeconds * 1_000;
    collectDefaultMetrics({ register: this.#registry });
    this.#sourceUp = new Gauge({
      name: 'homeport_metrics_source_up',
      help: 'Whether the figures of a source could be read for this scrape (1) or are left out (0).',
      labelNames: ['source'],
      registers: [this.#registry],
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** @returns a function that counts. */
  counter({ name, help, labels = [] }: MetricDescription): (labels?: Labels, by?: number) => void {
    const counter = new Counter({ name, help, labelNames: labels, registers: [this.#registry] });
    return (of = {}, by = 1) => counter.inc(of, by);
  }

  /** @returns a function that records a duration in seconds. */
  durations({ name, help, labels = [] }: MetricDescription): (labels: Labels, seconds: number) => void {
    const options = { name, help, labelNames: labels, buckets: DURATION_BUCKETS, registers: [this.#registry] };
    const histogram = new Histogram(options);
    return (of, seconds) => histogram.observe(of, seconds);
  }

  /** A gauge that is read at each scrape. */
  gauge({ name, help, labels = [] }: MetricDescription, read: () => readonly Sample[]): void {
    this.#observe('gauge', { name, help, labels }, read);
  }

  /** A counter that its owner keeps, and that is read at each scrape. */
  observedCounter({ name, help, labels = [] }: MetricDescription, read: () => readonly Sample[]): void {
    this.#observe('counter', { name, help, labels }, read);
  }

  /** Figures of a dependency, such as the database. */
  source({ name, figures, read }: FigureSource): void {
    let latest: Readonly<Record<string, readonly Sample[]>> = {};
    for (const { type, ...description } of figures)
      this.#observe(type, description, () => latest[description.name] ?? []);
    this.#sources.push(async () => {
      latest = {};
      const found = await within(this.#sourceLimitMs, read()).catch(() => undefined);
      latest = found ?? {};
      this.#sourceUp.set({ source: name }, found ? 1 : 0);
    });
  }

  /** All metrics. Concurrent calls share one reading of the sources. */
  text(): Promise<string> {
    return (this.#scrape ??= this.#collect().finally(() => (this.#scrape = undefined)));
  }

  async #collect(): Promise<string> {
    await Promise.all(this.#sources.map((read) => read()));
    return this.#registry.metrics();
  }

  #observe(type: 'gauge' | 'counter', { name, help, labels = [] }: MetricDescription, read: () => readonly Sample[]) {
    const options = { name, help, labelNames: labels, registers: [this.#registry] };
    if (type === 'gauge') {
      const collect = () => {
        clear(gauge, labels);
        for (const { labels: of = {}, value } of read()) gauge.set(of, value);
      };
      const gauge = new Gauge({ ...options, collect });
      return;
    }
    const collect = () => {
      clear(counter, labels);
      for (const { labels: of = {}, value } of read()) counter.inc(of, value);
    };
    const counter = new Counter({ ...options, collect });
  }
}

/** Leaves a metric out until it is set. Without labels, a reset would set it to 0, which alerts take for a value. */
function clear(metric: Gauge | Counter, labels: readonly string[]): void {
  metric.reset();
  if (labels.length === 0) metric.remove();
}

/** @throws {Error} after the time limit. The reading itself ends by the limits of its dependency. */
async function within<T>(limitMs: number, reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The source did not answer in time.')), limitMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
