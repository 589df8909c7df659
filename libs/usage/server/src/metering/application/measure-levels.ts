import { hourOf, hoursAfter, type HourlyLevel } from '../domain/usage-event';
import type { LevelSource } from './level-source.port';
import type { UsageStore } from './usage-store.port';

const MICRO = 1_000_000n;
const HOUR_MS = 3_600_000;
/** Hours before a measurement that are filled when they have none. Older ones are not charged. */
const MAX_GAP_HOURS = 24 * 7;
const BATCH_SIZE = 5_000;

/** Records the level of every item for the current hour. */
export class MeasureLevels {
  constructor(
    private readonly store: UsageStore,
    private readonly sources: readonly LevelSource[],
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** May be repeated, also by several instances: the first measurement of an hour counts. */
  async execute(): Promise<void> {
    const hour = hourOf(this.now());
    for (const source of this.sources) await this.#measure(source, hour);
  }

  async #measure(source: LevelSource, hour: Date): Promise<void> {
    const { item } = source;
    const last = await this.store.lastMeasuredHour(item);
    if (last && last >= hour) return;
    const current = new Map([...(await source.levels())].map(([organization, level]) => [organization, level * MICRO]));
    if (last) await this.#fillGap(item, { after: last, before: hour, current });
    await this.#record(levelsOf(current, { item, hour }));
    await this.store.noteMeasuredHour(item, hour);
  }

  /** Fills hours in which no instance ran with the lower one of the levels before and after them. */
  async #fillGap(item: string, { after, before, current }: Gap): Promise<void> {
    const missing = Math.min((before.getTime() - after.getTime()) / HOUR_MS - 1, MAX_GAP_HOURS);
    if (missing < 1) return;
    const previous = await this.store.levelsIn(item, after);
    const lower = new Map(
      [...current].map(([organization, level]) => [organization, min(level, previous.get(organization) ?? 0n)]),
    );
    for (let n = missing; n >= 1; n -= 1) await this.#record(levelsOf(lower, { item, hour: hoursAfter(before, -n) }));
  }

  async #record(levels: readonly HourlyLevel[]): Promise<void> {
    for (let start = 0; start < levels.length; start += BATCH_SIZE) {
      await this.store.recordLevels(levels.slice(start, start + BATCH_SIZE));
    }
  }
}

interface Gap {
  readonly after: Date;
  readonly before: Date;
  readonly current: ReadonlyMap<string, bigint>;
}

function levelsOf(
  levels: ReadonlyMap<string, bigint>,
  { item, hour }: Pick<HourlyLevel, 'item' | 'hour'>,
): HourlyLevel[] {
  return [...levels]
    .filter(([, level]) => level > 0n)
    .map(([organization, level]) => ({ organization, item, hour, level }));
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
