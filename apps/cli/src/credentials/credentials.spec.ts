import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
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
    for (const text of ['{', 'null', '[]', '{"servers": null}']) {
      await writeFile(store.path, text);
      await expect(store.find('https://one.example')).rejects.toThrow(`${store.path} is damaged.`);
    }
  });

  it('is not used when other users may read it', async () => {
    await store.save('https://one.example', { access_token: 'a' });
    await chmod(store.path, 0o640);
    await expect(store.find('https://one.example')).rejects.toMatchObject({
      message: `Other users of this machine may read ${store.path}.`,
      nextStep: expect.stringContaining('chmod 600'),
    });
  });

  it('changes one set at a time, keeps the current server, and ignores the lock of a killed command', async () => {
    await store.save('https://one.example', { access_token: '0' });
    await store.save('https://two.example', { access_token: 'b' });
    await writeFile(`${store.path}.lock`, '4194305');
    const increase = () =>
      store.update('https://one.example', async ({ access_token }) => ({
        access_token: String(Number(access_token) + 1),
      }));
    await Promise.all(Array.from({ length: 30 }, increase));
    expect(await store.find('https://one.example')).toEqual({ access_token: '30' });
    expect(await store.currentUrl()).toBe('https://two.example');
    expect(await readdir(join(folder, 'homeport'))).toEqual(['credentials.json']);
  });
});
