import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReadLimiter } from './read-limiter';

const LIMIT = 2;
const PATIENCE_MS = 2_000;

class FakeResponse extends EventEmitter {
  destroyed = false;
  readonly heads: unknown[][] = [];

  writeHead(...head: unknown[]): this {
    this.heads.push(head);
    return this;
  }

  disconnect(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

let limiter: ReadLimiter;
let started: number[];

beforeEach(() => {
  jest.useFakeTimers();
  limiter = new ReadLimiter(LIMIT);
  started = [];
});
afterEach(() => {
  jest.useRealTimers();
});

function addMany(count: number): FakeResponse[] {
  return Array.from({ length: count }, (_, i) => {
    const response = new FakeResponse();
    limiter.add(response as unknown as ServerResponse, () => started.push(i));
    return response;
  });
}

describe('ReadLimiter', () => {
  it('starts reads at once up to the limit, and each further one with the head of an earlier response', () => {
    const [first, second] = addMany(5);
    expect(started).toEqual([0, 1]);
    second?.writeHead(200, { 'content-length': '1' });
    expect(started).toEqual([0, 1, 2]);
    first?.writeHead(404);
    expect(started).toEqual([0, 1, 2, 3]);
    expect([first?.heads, second?.heads]).toEqual([[[404]], [[200, { 'content-length': '1' }]]]);
  });

  it('counts a response once', () => {
    const [first] = addMany(5);
    first?.writeHead(200);
    first?.emit('close');
    jest.advanceTimersByTime(PATIENCE_MS - 1);
    expect(started).toEqual([0, 1, 2]);
  });

  it('starts another read when a connection closes before the head, and none that is closed itself', () => {
    const [first, , third] = addMany(5);
    third?.disconnect();
    first?.disconnect();
    expect(started).toEqual([0, 1, 3]);
  });

  it('starts others when a dependency does not respond', () => {
    addMany(5);
    jest.advanceTimersByTime(PATIENCE_MS - 1);
    expect(started).toEqual([0, 1]);
    jest.advanceTimersByTime(1);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('starts reads at once after all others have ended', () => {
    for (const each of addMany(3)) each.writeHead(200);
    started = [];
    addMany(3);
    expect(started).toEqual([0, 1]);
  });
});
