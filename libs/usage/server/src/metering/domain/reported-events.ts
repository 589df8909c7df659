import type { FieldProblem } from '@homeport/kernel';
import { quantityOf } from '@homeport/pricing/contracts';
import { isMetered } from './meter';
import { OWN_SOURCES, type UsageEvent } from './usage-event';

/** The most events in one request. */
export const MAX_EVENTS = 1_000;
const EVENT_TYPE = 'homeport.usage';
const MAX_ID_LENGTH = 200;
const MAX_SOURCE_LENGTH = 500;
/** How far the clock of a product may be ahead. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Older events are rejected. */
export const MAX_AGE_DAYS = 62;
const MAX_AGE_MS = MAX_AGE_DAYS * 86_400_000;
const CONTROL = /\p{Cc}/u;
/** The characters that a URI reference cannot have. */
const OUTSIDE_URI = /[\s<>"{}|\\^`]/;
/** RFC 3339 with a zone. `Date` alone accepts many other forms, and the hour 24. */
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** CloudEvents attributes that an event may have. Extensions are rejected, because they would be lost. */
const ATTRIBUTES = [
  ...['specversion', 'id', 'source', 'type', 'subject', 'time', 'data'],
  ...['datacontenttype', 'dataschema'],
];

export interface ReportingContext {
  /** The organization that reports; it reports for itself. */
  readonly organization: string;
  /** The ids of the items of its usage card. */
  readonly items: readonly string[];
  readonly now: Date;
}

type Fields = Readonly<Record<string, unknown>>;
/** Checks a value. @throws {RangeError} whose message says what is wrong. */
type Check = (value: unknown, context: ReportingContext) => void;

/** Parses a batch of CloudEvents. @returns all faults, or the events. */
export function parseReportedEvents(
  body: unknown,
  context: ReportingContext,
): { readonly faults: readonly FieldProblem[] } | { readonly events: readonly UsageEvent[] } {
  if (!Array.isArray(body)) return { faults: [{ field: '', reason: 'must be an array of events' }] };
  if (body.length === 0 || body.length > MAX_EVENTS) {
    return { faults: [{ field: '', reason: `must contain 1 to ${MAX_EVENTS} events` }] };
  }
  const faults = body.flatMap((event: unknown, n) => faultsOf(event, `[${n}]`, context));
  if (faults.length > 0) return { faults };
  return { events: body.map((event: Fields) => toUsageEvent(event, context)) };
}

function faultsOf(event: unknown, place: string, context: ReportingContext): FieldProblem[] {
  if (!isFields(event)) return [{ field: place, reason: 'must be an object' }];
  const data = event['data'];
  return [
    ...unknownFields(event, place, ATTRIBUTES),
    ...problemsOf(event, place, { checks: EVENT_CHECKS, context }),
    ...(isFields(data)
      ? [
          ...unknownFields(data, `${place}.data`, ['item', 'quantity']),
          ...problemsOf(data, `${place}.data`, { checks: DATA_CHECKS, context }),
        ]
      : [{ field: `${place}.data`, reason: 'must be an object with item and quantity' }]),
  ];
}

function unknownFields(fields: Fields, place: string, known: readonly string[]): FieldProblem[] {
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => ({ field: `${place}.${name}`, reason: 'is not a known field' }));
}

function problemsOf(
  fields: Fields,
  place: string,
  { checks, context }: { readonly checks: Readonly<Record<string, Check>>; readonly context: ReportingContext },
): FieldProblem[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    try {
      check(Object.hasOwn(fields, name) ? fields[name] : undefined, context);
      return [];
    } catch (error) {
      return [{ field: `${place}.${name}`, reason: (error as RangeError).message }];
    }
  });
}

const EVENT_CHECKS: Readonly<Record<string, Check>> = {
  specversion: (value) => demand(value === '1.0', 'must be "1.0"'),
  type: (value) => demand(value === EVENT_TYPE, `must be "${EVENT_TYPE}"`),
  id: (value) => demand(isText(value, MAX_ID_LENGTH), `must be a text of 1 to ${MAX_ID_LENGTH} characters`),
  source: (value) => {
    const isUri = isText(value, MAX_SOURCE_LENGTH) && !OUTSIDE_URI.test(value);
    demand(isUri, `must be a URI of 1 to ${MAX_SOURCE_LENGTH} characters`);
    demand(!(value as string).toLowerCase().startsWith(OWN_SOURCES), `must not start with ${OWN_SOURCES}`);
  },
  subject: (value, { organization }) => demand(value === organization, 'must be the organization of the token'),
  time: (value, { now }) => {
    const time = typeof value === 'string' && TIME.test(value) && isDay(value.slice(0, 10)) ? Date.parse(value) : NaN;
    demand(!Number.isNaN(time), 'must be a time as in RFC 3339, with a zone');
    demand(time <= now.getTime() + MAX_AHEAD_MS, 'is in the future');
    demand(time >= now.getTime() - MAX_AGE_MS, `is more than ${MAX_AGE_DAYS} days ago`);
  },
  datacontenttype: (value) =>
    demand(value === undefined || value === 'application/json', 'must be "application/json" or absent'),
  dataschema: (value) => demand(value === undefined || typeof value === 'string', 'must be a text or absent'),
};

const DATA_CHECKS: Readonly<Record<string, Check>> = {
  item: (value, { items }) => {
    demand(items.length > 0, 'cannot be reported for an account with a legacy plan');
    demand(!(typeof value === 'string' && isMetered(value)), 'is measured by Homeport itself');
    demand(typeof value === 'string' && items.includes(value), `is not one of ${reportable(items).join(', ')}`);
  },
  quantity: (value) => void quantityOf(value),
};

function reportable(items: readonly string[]): string[] {
  return items.filter((item) => !isMetered(item));
}

/** `Date` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function demand(isTrue: boolean, reason: string): void {
  if (!isTrue) throw new RangeError(reason);
}

function isText(value: unknown, maxLength: number): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= maxLength &&
    value.isWellFormed() &&
    !CONTROL.test(value)
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toUsageEvent(event: Fields, { organization }: ReportingContext): UsageEvent {
  const { id, source, time, data } = event as unknown as Pick<UsageEvent, 'id' | 'source'> & {
    readonly time: string;
    readonly data: { readonly item: string; readonly quantity: unknown };
  };
  return { organization, source, id, item: data.item, quantity: quantityOf(data.quantity), at: new Date(time) };
}
