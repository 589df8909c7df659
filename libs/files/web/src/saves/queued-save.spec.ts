import { describe, expect, it } from '@jest/globals';
import { storedText } from '../editor/text-encoding';
import {
  afterSent,
  beforeSending,
  conditionOf,
  isQueuedEtag,
  type QueuedSave,
  queuedEtag,
  replaceQueued,
  type SaveRequest,
} from './queued-save';

const request = (text: string, ifMatch?: string): SaveRequest => ({
  key: 'a.md',
  text: storedText(text),
  condition: ifMatch === undefined ? { ifAbsent: true } : { ifMatch },
  contentType: 'text/markdown',
});
const version = (revision: string) => ({ revision, queuedAt: 1 });

function queued(text: string, revision: string, ifMatch?: string): QueuedSave {
  const save = replaceQueued(undefined, request(text, ifMatch), version(revision));
  if (save === 'conflict') throw new Error('The first save of a file is always queued.');
  return save;
}

describe('replaceQueued', () => {
  it('keeps the condition of the first save when its text is edited again', () => {
    const first = queued('one', '1', '"e1"');
    const second = replaceQueued(first, request('two', queuedEtag(first)), version('2'));
    expect(second).toMatchObject({ revision: '2', text: 'two', base: '"e1"', attempted: ['one'] });
    expect(conditionOf(second as QueuedSave)).toEqual({ ifMatch: '"e1"' });
  });

  it('queues a new file with the condition that none exists', () => {
    const first = queued('one', '1');
    expect(conditionOf(first)).toEqual({ ifAbsent: true });
    const second = replaceQueued(first, request('two', queuedEtag(first)), version('2'));
    expect(conditionOf(second as QueuedSave)).toEqual({ ifAbsent: true });
  });

  it.each([
    ['another tab has queued a save', queued('theirs', '1', '"e1"'), '"e1"'],
    ['another tab has replaced the queued save', queued('theirs', '2', '"e1"'), 'queued:1'],
    ['the queued save was sent', undefined, 'queued:1'],
  ])('reports a conflict when %s', (_words, current, editedFrom) => {
    expect(replaceQueued(current, request('mine', editedFrom), version('3'))).toBe('conflict');
  });
});

describe('afterSent', () => {
  it('removes the sent revision', () => {
    expect(afterSent(queued('one', '1', '"e1"'), '1', '"e2"')).toBeUndefined();
    expect(afterSent(undefined, '1', '"e2"')).toBeUndefined();
  });

  it('bases a later revision on the stored version', () => {
    const first = queued('one', '1', '"e1"');
    const second = replaceQueued(first, request('two', queuedEtag(first)), version('2')) as QueuedSave;
    expect(afterSent(second, '1', '"e2"')).toEqual({ ...second, base: '"e2"', attempted: [] });
  });
});

it('remembers the texts of the last attempts', () => {
  const texts = ['1', '2', '3', '4', '5'];
  const tried = texts.reduce((save, text) => beforeSending({ ...save, text }), queued('0', '1', '"e1"'));
  expect(tried.attempted).toEqual(['2', '3', '4', '5']);
  expect(beforeSending(tried)).toBe(tried);
});

it('tells queued from stored versions', () => {
  expect([isQueuedEtag(queuedEtag({ revision: '1' })), isQueuedEtag('"queued:1"'), isQueuedEtag(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});
