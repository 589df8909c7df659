import { beforeEach, describe, expect, it } from '@jest/globals';
import { RequestQueue } from './request-queue';

const STARTS_PER_TURN = 8;

let ends: (() => void)[];
let started: number[];
let queue: RequestQueue;

beforeEach(() => {
  ends = [];
  started = [];
  queue = new RequestQueue((run) => ends.push(run));
});

function add(...requests: number[]): void {
  for (const each of requests) queue.add(() => started.push(each));
}

function endTurn(): void {
  for (const end of ends.splice(0)) end();
}

describe('RequestQueue', () => {
  it('starts a request at the end of the turn', () => {
    add(1);
    expect(started).toEqual([]);
    endTurn();
    expect(started).toEqual([1]);
    endTurn();
    add(2);
    endTurn();
    expect(started).toEqual([1, 2]);
  });

  it('starts few in each turn, in their order', () => {
    const burst = Array.from({ length: 2 * STARTS_PER_TURN + 1 }, (_, i) => i);
    add(...burst);
    endTurn();
    expect(started).toEqual(burst.slice(0, STARTS_PER_TURN));
    add(100);
    endTurn();
    expect(started).toEqual(burst.slice(0, 2 * STARTS_PER_TURN));
    endTurn();
    expect(started).toEqual([...burst, 100]);
    expect(ends).toEqual([]);
  });

  it('starts the others when one throws', () => {
    queue.add(() => {
      throw new Error('a fault');
    });
    add(...Array.from({ length: STARTS_PER_TURN }, (_, i) => i));
    expect(endTurn).toThrow('a fault');
    endTurn();
    expect(started).toContain(STARTS_PER_TURN - 1);
  });

  it('starts a request that another one adds', () => {
    queue.add(() => add(1));
    endTurn();
    endTurn();
    expect(started).toEqual([1]);
  });

  it('starts a request in this turn of the real event loop', async () => {
    const real = new RequestQueue();
    await new Promise<void>((resolve) => real.add(resolve));
  });
});
