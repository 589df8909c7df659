import { randomBytes } from 'node:crypto';
import { expect, type Page, type TestInfo } from '@playwright/test';

/** A separate user for each screen size, because both may run in parallel. */
export function personOf({ project }: Pick<TestInfo, 'project'>): 'lars' | 'ada' {
  return project.name === 'phone' ? 'ada' : 'lars';
}

/** The banner above a cached file that is shown offline. */
export const OFFLINE_COPY = /Offline\. Showing the copy from \d\d:\d\d\./;

/** Returns a unique directory name. */
export function uniqueDirectory(words: string): string {
  return `${words}-${randomBytes(4).toString('hex')}`;
}

/** Stores a file through the API as the signed-in user. */
export async function putFile(page: Page, key: string, content: string | readonly number[]): Promise<void> {
  const status = await page.evaluate(
    async ([path, bytes]) => {
      const { access_token: token } = (await (await fetch('/auth/session')).json()) as { access_token: string };
      const address = path.split('/').map(encodeURIComponent).join('/');
      const body = new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]);
      const headers = { authorization: `Bearer ${token}`, 'ngsw-bypass': '' };
      return (await fetch(`/api/files/${address}`, { method: 'PUT', body, headers })).status;
    },
    [key, typeof content === 'string' ? content : [...content]] as const,
  );
  expect([200, 201]).toContain(status);
}

/** Deletes a file through the API as the signed-in user. */
export async function deleteFile(page: Page, key: string): Promise<void> {
  const status = await page.evaluate(async (path) => {
    const { access_token: token } = (await (await fetch('/auth/session')).json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}`, 'ngsw-bypass': '' };
    return (await fetch(`/api/files/${path}`, { method: 'DELETE', headers })).status;
  }, key);
  expect(status).toBe(204);
}

/** Reads a stored file; undefined when it does not exist. */
export async function readBytes(page: Page, key: string): Promise<readonly number[] | undefined> {
  return page.evaluate(async (path) => {
    const { access_token: token } = (await (await fetch('/auth/session')).json()) as { access_token: string };
    const address = path.split('/').map(encodeURIComponent).join('/');
    const answer = await fetch(`/api/files/${address}`, {
      headers: { authorization: `Bearer ${token}`, 'ngsw-bypass': '' },
    });
    return answer.status === 404 ? undefined : [...new Uint8Array(await answer.arrayBuffer())];
  }, key);
}

export async function readText(page: Page, key: string): Promise<string | undefined> {
  const bytes = await readBytes(page, key);
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(bytes));
}

/** Names of the databases that contain data of a user. */
export function personalDatabases(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? '').filter((name) => name.startsWith('homeport.person.')),
  );
}
