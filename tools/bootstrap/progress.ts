/** Prints the title and duration of a step; prints a heartbeat during a long one. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  const beat = setInterval(() => console.log(`  … ${title.toLowerCase()} (${secondsSince(started)})`), 15_000);
  try {
    const result = await work();
    console.log(`  ${title.padEnd(34)} ${secondsSince(started)}`);
    return result;
  } finally {
    clearInterval(beat);
  }
}

export function secondsSince(started: number): string {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
