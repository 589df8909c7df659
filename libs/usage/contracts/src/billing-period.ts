const HOUR_MS = 3_600_000;
/** From the year 2000: `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
const NAME = /^([2-9]\d{3})-(0[1-9]|1[0-2])$/;

/** A calendar month in UTC, for which an organization is charged. */
export class BillingPeriod {
  private constructor(
    private readonly year: number,
    /** 0 is January. */
    private readonly month: number,
  ) {}

  /** @param name such as `2026-11`. @returns undefined for another form. */
  static parse(name: string): BillingPeriod | undefined {
    const [, year, month] = NAME.exec(name) ?? [];
    return year === undefined ? undefined : new BillingPeriod(Number(year), Number(month) - 1);
  }

  static containing(instant: Date): BillingPeriod {
    return new BillingPeriod(instant.getUTCFullYear(), instant.getUTCMonth());
  }

  /** Such as `2026-11`. Names sort like the periods. */
  get name(): string {
    return `${String(this.year).padStart(4, '0')}-${String(this.month + 1).padStart(2, '0')}`;
  }

  /** The first instant. */
  get start(): Date {
    return new Date(Date.UTC(this.year, this.month));
  }

  /** The first instant of the next period. */
  get end(): Date {
    return new Date(Date.UTC(this.year, this.month + 1));
  }

  /** From 672 to 744. */
  get hours(): number {
    return (this.end.getTime() - this.start.getTime()) / HOUR_MS;
  }

  next(): BillingPeriod {
    return BillingPeriod.containing(this.end);
  }

  previous(): BillingPeriod {
    return BillingPeriod.containing(new Date(this.start.getTime() - 1));
  }
}
