// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { HttpProblem } from '@homeport/platform/web';
import type { WriteCondition } from '../client/files-client';
import { deliverSave, type StoredVersion } from './deliver-save';
import type { QueuedSave } from './queued-save';

const save: QueuedSave = {
  ...{ key: 'a.md', revision: '1', text: 'mine', encoding: 'utf-8', marked: false },
  ...{ base: '"e1"', attempted: ['mine', 'earlier'], queuedAt: 1 },
};

function failure(status: number): HttpProblem {
  const kind = status === 0 ? 'unreachable' : 'refused';
  return new HttpProblem({ kind, status, title: 'No', detail: 'No.', code: 'x' });
}

/** A server with one file, which checks `If-Match`. */
function serverWith(stored: StoredVersion) {
  const conditions: WriteCondition[] = [];
  return {
    conditions,
    put: (_save: QueuedSave, condition: WriteCondition) => {
      conditions.push(condition);
      const holds = condition.ifAbsent ? !stored : stored?.etag === condition.ifMatch;
      return holds ? Promise.resolve({ etag: '"new"' }) : Promise.reject(failure(412));
    },
    read: () => Promise.resolve(stored),
  };
}

describe('deliverSave', () => {
  it('sends the text with the condition of the save', async () => {
    const server = serverWith({ exact: 'old', etag: '"e1"' });
    expect(await deliverSave(save, server)).toEqual({ kind: 'sent', etag: '"new"' });
    expect(server.conditions).toEqual([{ ifMatch: '"e1"' }]);
  });

  it('creates a new file only where none exists', async () => {
    const created = { ...save, base: undefined };
    expect(await deliverSave(created, serverWith(undefined))).toEqual({ kind: 'sent', etag: '"new"' });
    expect(await deliverSave(created, serverWith({ exact: 'theirs', etag: '"e2"' }))).toEqual({ kind: 'conflict' });
  });

  it('accepts its own text when the response of an earlier attempt was lost', async () => {
    const server = serverWith({ exact: 'mine', etag: '"e2"' });
    expect(await deliverSave(save, server)).toEqual({ kind: 'sent', etag: '"e2"' });
  });

  it('replaces its own earlier text when the response to that was lost', async () => {
    const server = serverWith({ exact: 'earlier', etag: '"e2"' });
    expect(await deliverSave(save, server)).toEqual({ kind: 'sent', etag: '"new"' });
    expect(server.conditions).toEqual([{ ifMatch: '"e1"' }, { ifMatch: '"e2"' }]);
  });

  it.each([
    ['was changed', { exact: 'theirs', etag: '"e2"' }],
    ['was deleted', undefined],
  ])('reports a conflict when the file %s', async (_words, stored) => {
    expect(await deliverSave(save, serverWith(stored))).toEqual({ kind: 'conflict' });
  });

  it('waits when the conflict cannot be examined', async () => {
    const server = { ...serverWith({ exact: 'theirs', etag: '"e2"' }), read: () => Promise.reject(failure(503)) };
    expect(await deliverSave(save, server)).toMatchObject({ kind: 'later' });
  });

  it.each([
    [0, 'later'],
    [401, 'later'],
    [429, 'later'],
    [503, 'later'],
    [400, 'refused'],
    [413, 'refused'],
  ])('after status %s: %s', async (status, kind) => {
    const server = { ...serverWith(undefined), put: () => Promise.reject(failure(status)) };
    expect(await deliverSave(save, server)).toMatchObject({ kind, problem: { status } });
  });
});
