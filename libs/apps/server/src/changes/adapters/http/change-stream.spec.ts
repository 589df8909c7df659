import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChangeStream } from './change-stream';

describe('ChangeStream', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('sends changes as events', async () => {
    const stream = new ChangeStream();
    stream.send({ kind: 'app', id: 'one' });
    stream.send({ kind: 'domain', id: 'two' });
    stream.send(undefined);
    stream.end();
    expect(await text(stream)).toBe(
      'retry: 1000\n\nevent: app\ndata: {"id":"one"}\n\nevent: domain\ndata: {"id":"two"}\n\nevent: reset\ndata: {}\n\n',
    );
  });

  it('sends a comment every 15 seconds, and ends after five minutes', async () => {
    const stream = new ChangeStream();
    const received = text(stream);
    jest.advanceTimersByTime(300_000);
    expect(await received).toBe(`retry: 1000\n\n${':\n\n'.repeat(19)}`);
  });

  it('ends a client that reads nothing', () => {
    const stream = new ChangeStream();
    for (let sent = 0; sent < 3_000 && !stream.destroyed; sent += 1)
      stream.send({ kind: 'app', id: '0190d6c0-0000-7000-8000-000000000000' });
    expect(stream.destroyed).toBe(true);
    stream.send(undefined);
    stream.end();
  });
});
