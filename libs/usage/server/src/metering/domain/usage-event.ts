/** A used quantity. `organization`, `source` and `id` identify the event: a repeated event counts once. */
export interface UsageEvent {
  readonly organization: string;
  /** The origin of the event: a program of Homeport, or the URI of a product that reports usage. */
  readonly source: string;
  readonly id: string;
  /** The id of an item of the usage card. */
  readonly item: string;
  /** In 10⁻⁶ recorded units of the item. */
  readonly quantity: bigint;
  readonly at: Date;
}

/** The level of an item in one hour, such as the stored bytes of an organization. */
export interface HourlyLevel {
  readonly organization: string;
  readonly item: string;
  /** The start of the hour. */
  readonly hour: Date;
  /** In 10⁻⁶ recorded units. */
  readonly level: bigint;
}

/** Sources with this prefix belong to Homeport; products cannot report with them. */
export const OWN_SOURCES = 'urn:homeport:';

const HOUR_MS = 3_600_000;

/** The start of the hour that contains an instant. */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS);
}

export function hoursAfter(hour: Date, hours: number): Date {
  return new Date(hour.getTime() + hours * HOUR_MS);
}
