import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CredentialsStore } from './credentials';

let folder: string;
let store: CredentialsStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-credentials-'));
  store = new CredentialsStore(join(folder, 'homeport'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('CredentialsStore', () => {
  it('keeps one set for each server, readable by the owner only', async () => {
    await store.save('https://one.example', { access_token: 'a' });
    await store.save('https://two.example', { access_token: 'b' });
    expect(await store.find('https://one.example')).toEqual({ access_token: 'a' });
    expect(await store.currentUrl()).toBe('https://two.example');
    expect((await stat(store.path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'homeport'))).mode & 0o777).toBe(0o700);
  });

  it('returns to another server when the current one is removed', async () => {
    await store.save('https://one.example', { access_token: 'a' });
    await store.save('https://two.example', { access_token: 'b' });
    expect(await store.remove('https://two.example')).toEqual({ access_token: 'b' });
    expect(await store.currentUrl()).toBe('https://one.example');
    expect(await store.remove('https://two.example')).toBeUndefined();
  });

  it('is empty without a file, and names a damaged one', async () => {
    expect(await store.currentUrl()).toBeUndefined();
    await store.save('https://one.example', { access_token: 'a' });
    await writeFile(store.path, '{');
    await expect(store.find('https://one.example')).rejects.toThrow(`${store.path} is damaged. Remove it.`);
  });
});
