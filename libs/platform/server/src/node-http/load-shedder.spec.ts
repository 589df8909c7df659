import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LoadShedder } from './load-shedder';

const CROWD = 10;
const FLOOD = 1_000;
const LIMITS = { crowd: CROWD, flood: FLOOD, maxReads: 4, maxWrites: 20 };
const CROWDED_MS = 2_000;
const CALM_MS = 100;
const BUDGET_MS = 8;
const SLOT_MS = 2_000;

let now: number;
let ends: (() => void)[];
let events: string[];
let shedder: LoadShedder;

beforeEach(() => {
  now = 0;
  ends = [];
  events = [];
  shedder = new LoadShedder({
    ...LIMITS,
    groupOf: ({ url }) => (url === '/health/live' ? undefined : url),
    now: () => now,
    atEndOfTurn: (run) => ends.push(run),
    onBegin: () => events.push('begin'),
    onEnd: (refused) => events.push(`end ${refused}`),
  });
});

function admit(method = 'GET', url = '/a'): { readonly isAdmitted: boolean; readonly close: () => void } {
  const response = new EventEmitter();
  const request = { method, url } as IncomingMessage;
  return {
    isAdmitted: shedder.admit(request, response as unknown as ServerResponse),
    close: () => response.emit('close'),
  };
}

/** Reads requests in one turn of the event loop, and finishes those that are admitted. */
function turn({ requests, ms }: { readonly requests: number; readonly ms: number }): number {
  let admitted = 0;
  for (let i = 0; i < requests; i += 1) {
    const { isAdmitted, close } = admit();
    if (isAdmitted) admitted += 1;
    close();
    now += ms / requests;
  }
  for (const end of ends.splice(0)) end();
  return admitted;
}

function overload(): void {
  while (!shedder.isOverloaded) turn({ requests: CROWD + 1, ms: CROWDED_MS / 4 });
}

describe('LoadShedder', () => {
  it('admits a burst', () => {
    expect(turn({ requests: FLOOD, ms: 5_000 })).toBe(FLOOD);
    expect(turn({ requests: 1, ms: 1 })).toBe(1);
    expect([shedder.isOverloaded, shedder.refused, events]).toEqual([false, 0, []]);
  });

  it('is overloaded at once by more requests than a burst has', () => {
    turn({ requests: FLOOD + 1, ms: 1 });
    expect(events).toEqual(['begin']);
  });

  it('counts the requests of all groups for that', () => {
    for (let i = 0; i <= FLOOD; i += 1) admit('GET', i % 2 === 0 ? '/a' : '/b');
    for (const end of ends.splice(0)) end();
    expect(events).toEqual(['begin']);
  });

  it('admits a burst that takes many turns', () => {
    for (let taken = 0; taken < CROWDED_MS; taken += 100) {
      expect(turn({ requests: CROWD + 1, ms: 100 })).toBe(CROWD + 1);
    }
    expect(turn({ requests: 1, ms: 1 })).toBe(1);
    expect(events).toEqual([]);
  });

  it('admits bursts with a quiet time between them', () => {
    for (let i = 0; i < 5; i += 1) {
      expect(turn({ requests: CROWD + 1, ms: 100 })).toBe(CROWD + 1);
      now += 10 * CROWDED_MS;
    }
    expect(events).toEqual([]);
  });

  it('admits as many connections as a turn may have, however busy they are', () => {
    for (let i = 0; i < 100; i += 1) expect(turn({ requests: CROWD, ms: 300 })).toBe(CROWD);
    expect(events).toEqual([]);
  });

  it('accepts reads for a part of each turn, once turns have been crowded for two seconds', () => {
    overload();
    expect(events).toEqual(['begin']);
    expect(turn({ requests: 50, ms: 50 })).toBe(BUDGET_MS + 1);
    expect(shedder.refused).toBe(50 - BUDGET_MS - 1);
  });

  it('ends when nothing was refused for an interval', () => {
    overload();
    turn({ requests: 50, ms: 50 });
    const { refused } = shedder;
    now += CALM_MS / 2;
    turn({ requests: 1, ms: 1 });
    expect(shedder.isOverloaded).toBe(true);
    now += CALM_MS;
    turn({ requests: 1, ms: 1 });
    expect([shedder.isOverloaded, events]).toEqual([false, ['begin', `end ${refused}`]]);
    expect(turn({ requests: 50, ms: 50 })).toBe(50);
  });

  it('refuses reads while a dependency keeps many in progress, and admits one for each that ends', () => {
    const slow = Array.from({ length: CROWD + 1 }, () => admit());
    while (!shedder.isOverloaded) turn({ requests: 1, ms: CROWDED_MS / 4 });
    expect(admit().isAdmitted).toBe(false);
    for (const { close } of slow.slice(LIMITS.maxReads - 1)) close();
    expect(admit().isAdmitted).toBe(true);
    expect(admit().isAdmitted).toBe(false);
  });

  it('admits requests that need another dependency', () => {
    overload();
    for (let i = 0; i < LIMITS.maxReads; i += 1) admit();
    expect(admit().isAdmitted).toBe(false);
    expect(admit('GET', '/b').isAdmitted).toBe(true);
  });

  it('admits changes up to a higher limit, and not for the length of the turn', () => {
    overload();
    admit('POST');
    now += 10 * BUDGET_MS;
    const admitted = Array.from({ length: LIMITS.maxWrites }, () => admit('POST').isAdmitted);
    expect(admitted.filter(Boolean)).toHaveLength(LIMITS.maxWrites - 1);
  });

  it('does not count streams that began long ago', () => {
    overload();
    for (let i = 0; i < LIMITS.maxReads; i += 1) admit();
    for (let i = 0; i < 2; i += 1) {
      for (const end of ends.splice(0)) end();
      now += SLOT_MS + 1;
      admit('POST').close();
    }
    for (const end of ends.splice(0)) end();
    overload();
    expect(admit().isAdmitted).toBe(true);
  });

  it('always admits requests without a group', () => {
    overload();
    for (let i = 0; i < 100; i += 1) expect(admit('GET', '/health/live').isAdmitted).toBe(true);
  });
});
