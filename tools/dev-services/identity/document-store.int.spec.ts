import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DocumentStore } from './document-store.ts';
import { fileAdapter } from './file-adapter.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'identity-store-'));
  path = join(directory, 'new', 'state.json');
});

afterEach(async () => {
  jest.useRealTimers();
  await rm(directory, { recursive: true });
});

describe('DocumentStore', () => {
  it('persists confirmed changes, readable by the owner only', async () => {
    const store = await DocumentStore.open(path);
    await Promise.all(Array.from({ length: 50 }, (_, i) => store.put(`m/${i}`, { accountId: `person ${i}` }, 60)));
    await store.remove('m/7');

    const copy = await DocumentStore.open(path);
    expect(copy.find('m/49')).toEqual({ accountId: 'person 49' });
    expect(copy.find('m/7')).toBeUndefined();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(directory, 'new'))).toEqual(['state.json']);
  });

  it('is not affected by changes to values it returned or received', async () => {
    const store = await DocumentStore.open(path);
    const payload = { authorizations: { web: { sid: 'one' } } };
    await store.put('m/1', payload);
    payload.authorizations.web.sid = 'two';
    Object.assign(store.find('m/1') ?? {}, { uid: 'three' });
    expect(store.find('m/1')).toEqual({ authorizations: { web: { sid: 'one' } } });
  });

  it('removes expired entries, also on disk', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'], now: 1_000_000 });
    const store = await DocumentStore.open(path);
    await store.put('m/short', { uid: 'a' }, 10);
    await store.put('m/long', { uid: 'b' }, 100);
    jest.setSystemTime(1_010_000);
    expect(store.find('m/short')).toBeUndefined();
    expect(store.findFirst('m/', ({ uid }) => uid === 'a')).toBeUndefined();
    await store.amend('m/long', { consumed: 1 });
    const file = JSON.parse(await readFile(path, 'utf8')) as { entries: object };
    expect(Object.keys(file.entries)).toEqual(['m/long']);
  });

  it('rejects every change that could not be written, and writes all of them later', async () => {
    const store = await DocumentStore.open(path);
    await writeFile(join(directory, 'new'), 'a file in the way of the folder');
    const failed = await Promise.allSettled([store.put('m/1', { uid: '1' }), store.put('m/2', { uid: '2' })]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    await rm(join(directory, 'new'));
    await store.put('m/3', { uid: '3' });
    const copy = await DocumentStore.open(path);
    expect(['m/1', 'm/2', 'm/3'].map((key) => copy.find(key)?.uid)).toEqual(['1', '2', '3']);
  });

  it('rejects a damaged file instead of starting empty', async () => {
    const damaged = join(directory, 'state.json');
    await writeFile(damaged, '{"version":1,"entries":{');
    await expect(DocumentStore.open(damaged)).rejects.toThrow(`${damaged} is damaged`);
  });
});

describe('fileAdapter', () => {
  it('separates issuers and models', async () => {
    const store = await DocumentStore.open(path);
    const sessions = fileAdapter(store, 'broker')('Session');
    await sessions.upsert('1', { uid: 'u', accountId: 'ada' }, 60);
    expect(await sessions.findByUid('u')).toMatchObject({ accountId: 'ada' });
    expect(await fileAdapter(store, 'globex')('Session').find('1')).toBeUndefined();
    expect(await fileAdapter(store, 'broker')('Grant').findByUid('u')).toBeUndefined();
  });

  it('revokes all tokens of a grant and marks a consumed one', async () => {
    const tokens = fileAdapter(await DocumentStore.open(path), 'broker')('RefreshToken');
    await tokens.upsert('1', { grantId: 'g' }, 60);
    await tokens.upsert('2', { grantId: 'g' }, 60);
    await tokens.upsert('3', { grantId: 'other' }, 60);
    await tokens.consume('1');
    expect(await tokens.find('1')).toEqual({ grantId: 'g', consumed: expect.any(Number) });
    await tokens.revokeByGrantId('g');
    expect(await Promise.all(['1', '2', '3'].map((id) => tokens.find(id)))).toEqual([
      undefined,
      undefined,
      { grantId: 'other' },
    ]);
  });
});
