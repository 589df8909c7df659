// Angular's packages are linked at run time outside a build.
import '@angular/compiler';
import { HttpClient, HttpErrorResponse, type HttpEvent, HttpEventType } from '@angular/common/http';
import { DOCUMENT, Injector } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { type LiveChange, LiveChanges } from './live-changes';

const RESET = 'event: reset\ndata: {}\n\n';
const FIRST = 'event: app\ndata: {"id":"first"}\n\n';
const SECOND = 'event: domain\ndata: {"id":"second"}\n\n';

class Page extends EventTarget {
  visibilityState = 'visible';

  become(state: string): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

describe('LiveChanges', () => {
  let page: Page;
  let streams: Subject<HttpEvent<string>>[];
  let changes: LiveChanges;

  beforeEach(() => {
    jest.useFakeTimers();
    page = new Page();
    streams = [];
    const open = (): Subject<HttpEvent<string>> => {
      const stream = new Subject<HttpEvent<string>>();
      streams.push(stream);
      return stream;
    };
    const injector = Injector.create({
      providers: [
        { provide: HttpClient, useValue: { get: open } },
        { provide: DOCUMENT, useValue: page },
        { provide: LiveChanges, useFactory: () => new LiveChanges(), deps: [] },
      ],
    });
    changes = injector.get(LiveChanges);
  });
  afterEach(() => void jest.useRealTimers());

  const watch = (): { readonly seen: (LiveChange | undefined)[]; readonly stop: () => void } => {
    const seen: (LiveChange | undefined)[] = [];
    return { seen, stop: changes.watch((change) => seen.push(change)) };
  };
  const receive = (partialText: string): void =>
    streams.at(-1)?.next({ type: HttpEventType.DownloadProgress, loaded: partialText.length, partialText });
  const openStreams = (): number => streams.filter(({ observed }) => observed).length;

  it('passes each change to all watchers over one connection', () => {
    const [one, other] = [watch(), watch()];
    expect(streams).toHaveLength(0);
    jest.advanceTimersByTime(2_000);
    expect(openStreams()).toBe(1);
    receive(RESET);
    receive(RESET + FIRST + SECOND);
    const seen = [undefined, { kind: 'app', id: 'first' }, { kind: 'domain', id: 'second' }];
    expect([one.seen, other.seen]).toEqual([seen, seen]);
  });

  it('is not connected while the tab is hidden or nothing is watched', () => {
    const { stop } = watch();
    jest.advanceTimersByTime(2_000);
    page.become('hidden');
    expect(openStreams()).toBe(0);
    page.become('visible');
    jest.advanceTimersByTime(2_000);
    expect(openStreams()).toBe(1);
    stop();
    expect(openStreams()).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect(streams).toHaveLength(2);
  });

  it('connects again after the end of a stream and after failures, at growing intervals', () => {
    watch();
    jest.advanceTimersByTime(2_000);
    streams[0]?.complete();
    jest.advanceTimersByTime(2_000);
    expect(streams).toHaveLength(2);
    for (const status of [503, 0, 429]) streams.at(-1)?.error(new HttpErrorResponse({ status }));
    jest.advanceTimersByTime(2_000);
    expect(streams).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    expect(openStreams()).toBe(1);
  });

  it.each([401, 403, 404])('does not connect again when the server answers %i', (status) => {
    watch();
    jest.advanceTimersByTime(2_000);
    streams[0]?.error(new HttpErrorResponse({ status }));
    jest.advanceTimersByTime(600_000);
    expect(streams).toHaveLength(1);
  });
});
