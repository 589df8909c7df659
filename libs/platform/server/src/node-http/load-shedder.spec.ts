import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LoadShedder } from './load-shedder';

const CROWD = 10;
const FLOOD = 1_000;
const LIMITS = { crowd: CROWD, flood: FLOOD, maxReads: 4, maxWrites: 20 };
const CROWDED_MS = 2_000;
const CALM_MS = 1_000;
const SLOT_MS = 2_000;

interface Exchange {
  readonly isAdmitted: boolean;
  readonly close: () => void;
}

let now: number;
let waiting: (() => void)[];
let started: number;
let events: string[];
let shedder: LoadShedder;

beforeEach(() => {
  now = 0;
  waiting = [];
  started = 0;
  events = [];
  shedder = new LoadShedder({
    ...LIMITS,
    groupOf: ({ url }) => (url === '/health/live' ? undefined : url),
    now: () => now,
    queue: { add: (start) => waiting.push(start) },
    onBegin: () => events.push('begin'),
    onEnd: (refused) => events.push(`end ${refused}`),
  });
});

function admit(method = 'GET', url = '/a'): Exchange {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const request = { method, url } as IncomingMessage;
  return {
    isAdmitted: shedder.admit(request, response as unknown as ServerResponse, () => (started += 1)),
    close: () => {
      response.destroyed = true;
      response.emit('close');
    },
  };
}

function admitMany(count: number, method?: string, url?: string): Exchange[] {
  return Array.from({ length: count }, () => admit(method, url));
}

function admitted(exchanges: readonly Exchange[]): number {
  return exchanges.filter(({ isAdmitted }) => isAdmitted).length;
}

/** Keeps a crowd in progress until the overload begins. @returns the crowd. */
function overload(): Exchange[] {
  const crowd = admitMany(CROWD);
  for (let i = 0; i < 2; i += 1) {
    admit().close();
    now += CROWDED_MS / 2;
  }
  now += 1;
  // Most of the crowd began in the slot before.
  admit().close();
  expect(shedder.isOverloaded).toBe(true);
  return crowd;
}

describe('LoadShedder', () => {
  it('queues admitted requests, and forgets those whose connection closes before they start', () => {
    admit();
    admit().close();
    admit();
    expect(started).toBe(0);
    for (const start of waiting) start();
    expect(started).toBe(2);
  });

  it('admits a burst', () => {
    const burst = admitMany(FLOOD);
    expect(admitted(burst)).toBe(FLOOD);
    now += CROWDED_MS - 1;
    for (const { close } of burst) close();
    now += CROWDED_MS;
    expect(admit().isAdmitted).toBe(true);
    expect([shedder.isOverloaded, shedder.refused, events]).toEqual([false, 0, []]);
  });

  it('refuses reads at once when more requests are in progress than a burst has', () => {
    admitMany(FLOOD);
    expect(admit().isAdmitted).toBe(false);
    expect([events, shedder.refused]).toEqual([['begin'], 1]);
  });

  it('counts the requests of all groups for that', () => {
    admitMany(FLOOD / 2, 'GET', '/a');
    admitMany(FLOOD / 2, 'GET', '/b');
    admit('GET', '/c');
    expect(events).toEqual(['begin']);
  });

  it('admits bursts with a quiet time between them', () => {
    for (let i = 0; i < 5; i += 1) {
      const burst = admitMany(2 * CROWD);
      expect(admitted(burst)).toBe(2 * CROWD);
      for (const { close } of burst) close();
      now += 10 * CROWDED_MS;
    }
    expect(events).toEqual([]);
  });

  it('admits as many connections as make no crowd, however busy they are', () => {
    for (let i = 0; i < 100; i += 1) {
      const requests = admitMany(CROWD);
      expect(admitted(requests)).toBe(CROWD);
      now += 300;
      for (const { close } of requests) close();
    }
    expect(events).toEqual([]);
  });

  it('refuses reads when a crowd has stayed for two seconds, and admits one for each that ends', () => {
    const crowd = overload();
    expect(admit().isAdmitted).toBe(false);
    for (const { close } of crowd.slice(LIMITS.maxReads - 1)) close();
    expect(admit().isAdmitted).toBe(true);
    expect(admit().isAdmitted).toBe(false);
    expect(events).toEqual(['begin']);
  });

  it('ends when nothing was refused for an interval', () => {
    const crowd = overload();
    expect(admit().isAdmitted).toBe(false);
    const { refused } = shedder;
    for (const { close } of crowd) close();
    now += CALM_MS;
    admit().close();
    expect(shedder.isOverloaded).toBe(true);
    now += 1;
    expect(admitted(admitMany(CROWD))).toBe(CROWD);
    expect([shedder.isOverloaded, events]).toEqual([false, ['begin', `end ${refused}`]]);
  });

  it('admits requests that need another dependency', () => {
    overload();
    expect(admit().isAdmitted).toBe(false);
    expect(admit('GET', '/b').isAdmitted).toBe(true);
  });

  it('admits changes up to a higher limit', () => {
    overload();
    expect(admitted(admitMany(LIMITS.maxWrites, 'POST'))).toBe(LIMITS.maxWrites - CROWD);
  });

  it('does not count streams that began long ago', () => {
    overload();
    for (let i = 0; i < 2; i += 1) {
      now += SLOT_MS + 1;
      admit('POST').close();
    }
    expect(admitted(admitMany(LIMITS.maxReads))).toBe(LIMITS.maxReads);
  });

  it('always starts requests without a group, without a wait', () => {
    overload();
    expect(admitted(admitMany(100, 'GET', '/health/live'))).toBe(100);
    expect(started).toBe(100);
  });
});
