import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_EVENTS, parseReportedEvents } from './reported-events';

const context = {
  organization: 'northwind',
  items: ['gateway-call', 'agent-run', 'storage', 'small'],
  now: new Date('2026-11-27T12:00:00Z'),
};
const event = (changes: object = {}, data: object = {}) => ({
  specversion: '1.0',
  id: 'run-1',
  source: 'https://agents.example.com',
  type: 'homeport.usage',
  subject: 'northwind',
  time: '2026-11-27T11:00:00Z',
  data: { item: 'agent-run', quantity: 2, ...data },
  ...changes,
});
const faultsOf = (body: unknown) => {
  const result = parseReportedEvents(body, context);
  return 'faults' in result ? result.faults : [];
};
const reasonsOf = (body: unknown) => faultsOf(body).map(({ field, reason }) => `${field} ${reason}`);

describe('parseReportedEvents', () => {
  it('returns valid events with exact quantities', () => {
    const body = [event(), event({ id: 'run-2', time: '2026-11-27T12:30:00.5+01:00' }, { quantity: '0.000001' })];
    expect(parseReportedEvents(body, context)).toEqual({
      events: [
        {
          organization: 'northwind',
          source: 'https://agents.example.com',
          id: 'run-1',
          item: 'agent-run',
          quantity: 2_000_000n,
          at: new Date('2026-11-27T11:00:00Z'),
        },
        expect.objectContaining({ id: 'run-2', quantity: 1n, at: new Date('2026-11-27T11:30:00.500Z') }),
      ],
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['no array', {}, /^ must be an array/],
    ['no event', [], /^ must contain 1 to 1000 events/],
    ['too many events', Array(MAX_EVENTS + 1).fill(event()), /^ must contain 1 to 1000 events/],
    ['no object', [null], /^\[0\] must be an object/],
    ['another version', [event({ specversion: '0.3' })], /^\[0\]\.specversion must be/],
    ['another type', [event({ type: 'com.example' })], /^\[0\]\.type must be/],
    ['an empty id', [event({ id: '' })], /^\[0\]\.id must be a text/],
    ['an id that is no text', [event({ id: 7 })], /^\[0\]\.id must be a text/],
    ['a control character in the id', [event({ id: 'a\u0000b' })], /^\[0\]\.id must be a text/],
    ['half of a surrogate pair in the id', [event({ id: '\ud800' })], /^\[0\]\.id must be a text/],
    ['a source of Homeport', [event({ source: 'URN:homeport:api:1' })], /^\[0\]\.source must not start with/],
    ['another organization', [event({ subject: 'globex' })], /^\[0\]\.subject must be the organization/],
    ['no organization', [event({ subject: undefined })], /^\[0\]\.subject must be the organization/],
    ['a time without a zone', [event({ time: '2026-11-27T11:00:00' })], /^\[0\]\.time must be a time/],
    ['a day that does not exist', [event({ time: '2026-02-30T00:00:00Z' })], /^\[0\]\.time must be a time/],
    ['an hour that does not exist', [event({ time: '2026-11-27T25:00:00Z' })], /^\[0\]\.time must be a time/],
    ['the hour 24', [event({ time: '2026-11-26T24:00:00Z' })], /^\[0\]\.time must be a time/],
    ['a time in the future', [event({ time: '2026-11-27T12:05:01Z' })], /^\[0\]\.time is in the future/],
    ['a time in 1990', [event({ time: '1990-01-01T00:00:00Z' })], /^\[0\]\.time is more than 62 days ago/],
    ['a source with a space', [event({ source: 'not a URI' })], /^\[0\]\.source must be a URI/],
    ['a schema that is no text', [event({ dataschema: 7 })], /^\[0\]\.dataschema must be a text/],
    ['an unknown attribute', [event({ traceparent: 'x' })], /^\[0\]\.traceparent is not a known field/],
    ['no data', [event({ data: 'x' })], /^\[0\]\.data must be an object/],
    ['an unknown item', [event({}, { item: 'coffee' })], /^\[0\]\.data\.item is not one of agent-run, small/],
    ['an inherited item', [event({}, { item: 'constructor' })], /^\[0\]\.data\.item is not one of/],
    ['an item that Homeport measures', [event({}, { item: 'storage' })], /^\[0\]\.data\.item is measured by Homeport/],
    ['a negative quantity', [event({}, { quantity: -1 })], /^\[0\]\.data\.quantity must be a number of 0 or more/],
    ['NaN', [event({}, { quantity: 'NaN' })], /^\[0\]\.data\.quantity must be a number of 0 or more/],
    ['a huge quantity', [event({}, { quantity: 1e40 })], /^\[0\]\.data\.quantity must be at most/],
    ['a huge text', [event({}, { quantity: '9'.repeat(41) })], /^\[0\]\.data\.quantity must be at most/],
    ['too many decimals', [event({}, { quantity: '0.0000001' })], /^\[0\]\.data\.quantity must have at most 6/],
    ['no quantity', [event({}, { quantity: undefined })], /^\[0\]\.data\.quantity must be a number/],
  ])('rejects %s', (_what, body, reason) => {
    expect(reasonsOf(body)).toEqual([expect.stringMatching(reason)]);
  });

  it('accepts the whole month in which the account was created', () => {
    expect(reasonsOf([event({ time: '2026-10-01T00:00:00Z' })])).toEqual([]);
  });

  it('says that an account with a legacy plan has no items', () => {
    const result = parseReportedEvents([event()], { ...context, items: [] });
    expect(result).toMatchObject({
      faults: [{ field: '[0].data.item', reason: expect.stringContaining('legacy plan') }],
    });
  });

  it('names every fault of every event', () => {
    const body = [event(), event({ id: '', time: 'now' }), event({}, { item: 'x', quantity: -1 })];
    expect(faultsOf(body).map(({ field }) => field)).toEqual([
      '[1].id',
      '[1].time',
      '[2].data.item',
      '[2].data.quantity',
    ]);
  });

  it('rejects or accepts any JSON without an exception', () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => void parseReportedEvents(body, context)));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(event())), fc.jsonValue(), (name, value) => {
        parseReportedEvents([event({ [name]: value })], context);
      }),
    );
  });
});
