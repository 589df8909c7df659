/** A time series of a scrape. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
  readonly series: readonly Series[];
}

/** Reads the metrics of a process. */
export async function scrape(port: number | string): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    text,
    series: lines.map(seriesIn),
  };
}

/** @returns the value of the first series with these labels; undefined without one. */
export function valueOf(
  { series }: Scrape,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return series.find(
    (each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
  )?.value;
}

function seriesIn(line: string): Series {
  const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}
