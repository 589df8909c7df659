import { describe, expect, it } from '@jest/globals';
import { EventBlocks } from './event-blocks';

const APP = { name: 'app', data: '{"id":"1"}' };
const RESET = { name: 'reset', data: '{}' };
const TEXT = 'retry: 1000\n\nevent: reset\ndata: {}\n\n:\n\nevent: app\ndata: {"id":"1"}\n\n';

describe('EventBlocks', () => {
  it('returns each event once, in order, and skips comments', () => {
    const blocks = new EventBlocks();
    expect(blocks.next(TEXT)).toEqual([RESET, APP]);
    expect(blocks.next(TEXT)).toEqual([]);
    expect(blocks.next(`${TEXT}event: reset\ndata: {}\n\n`)).toEqual([RESET]);
  });

  it('returns the id of an event', () => {
    expect(new EventBlocks().next('id: 7\ndata: {"line":"id: 8"}\n\n')).toEqual([
      { name: 'message', id: '7', data: '{"line":"id: 8"}' },
    ]);
  });

  it('finds the same events wherever the text is divided', () => {
    for (let first = 0; first <= TEXT.length; first += 1) {
      const blocks = new EventBlocks();
      expect([...blocks.next(TEXT.slice(0, first)), ...blocks.next(TEXT)]).toEqual([RESET, APP]);
    }
  });
});
