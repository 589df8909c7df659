// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { Injector, ɵINJECTOR_SCOPE as INJECTOR_SCOPE } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import { HttpProblem } from '@homeport/platform/web';
import { FilesClient } from '../../client/files-client';
import { Thumbnails } from './thumbnails';

const entry = (key: string, size = 1_000): FileEntry => ({ key, size, etag: '"1"', modified_at: '' });
const pictures = (from: number, to: number): readonly FileEntry[] =>
  Array.from({ length: to - from }, (_, at) => entry(`${from + at}.png`));
const offline = new HttpProblem({ kind: 'offline', status: 0, title: '', detail: '', code: 'x' });
const damaged = { content: new Blob(['no picture']) };

let requests: { readonly key: string; readonly response: PromiseWithResolvers<typeof damaged> }[];
let thumbnails: Thumbnails;

const requested = (): readonly string[] => requests.map(({ key }) => key);
const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(200);

beforeEach(() => {
  jest.useFakeTimers();
  requests = [];
  const get = (key: string) => {
    const response = Promise.withResolvers<typeof damaged>();
    requests.push({ key, response });
    return response.promise;
  };
  const providers = [
    { provide: INJECTOR_SCOPE, useValue: 'root' },
    { provide: FilesClient, useValue: { get } },
    { provide: Thumbnails },
  ];
  thumbnails = Injector.create({ providers }).get(Thumbnails);
});

afterEach(() => {
  jest.useRealTimers();
});

describe('Thumbnails', () => {
  it('reads nothing while the list scrolls, and three pictures at a time afterwards', async () => {
    for (let at = 0; at < 10; at += 1) {
      thumbnails.show(pictures(at * 10, at * 10 + 20));
      await jest.advanceTimersByTimeAsync(50);
    }
    expect(requested()).toEqual([]);
    await settle();
    expect(requested()).toEqual(['90.png', '91.png', '92.png']);
  });

  it('does not read pictures that have left the screen', async () => {
    thumbnails.show(pictures(0, 20));
    await settle();
    thumbnails.show(pictures(50, 70));
    await settle();
    expect(requested()).toEqual(['0.png', '1.png', '2.png']);
    requests[0]?.response.resolve(damaged);
    await settle();
    expect(requested().slice(3)).toEqual(['50.png']);
  });

  it('reads a damaged picture once, and each version of a file', async () => {
    thumbnails.show([entry('a.png')]);
    await settle();
    requests[0]?.response.resolve(damaged);
    await settle();
    thumbnails.show([entry('a.png')]);
    await settle();
    expect([requested(), thumbnails.addressOf(entry('a.png'))]).toEqual([['a.png'], undefined]);
    thumbnails.show([{ ...entry('a.png'), etag: '"2"' }]);
    await settle();
    expect(requested()).toEqual(['a.png', 'a.png']);
  });

  it('waits for the next scroll without a connection', async () => {
    thumbnails.show(pictures(0, 20));
    await settle();
    for (const { response } of requests) response.reject(offline);
    await settle();
    expect(requests).toHaveLength(3);
    thumbnails.show(pictures(0, 1));
    await settle();
    expect(requested().slice(3)).toEqual(['0.png']);
  });

  it('skips large files, empty files and other types', async () => {
    thumbnails.show([entry('a.png', 3_000_000), entry('b.png', 0), entry('c.svg'), entry('d.md'), entry('e.jpeg')]);
    await settle();
    expect(requested()).toEqual(['e.jpeg']);
  });
});
