import { randomBytes } from 'node:crypto';
import { expect, type Page, type TestInfo } from '@playwright/test';

/** Who works with files at a size: the same test may run at both sizes at once. */
export function personOf({ project }: Pick<TestInfo, 'project'>): 'lars' | 'ada' {
  return project.name === 'phone' ? 'ada' : 'lars';
}

/** What stands over a copy that is shown for want of a connection. */
export const OFFLINE_COPY = /Offline\. Showing the copy from \d\d:\d\d\./;

/** A directory nobody else has. */
export function uniqueDirectory(words: string): string {
  return `${words}-${randomBytes(4).toString('hex')}`;
}

/** Stores a file as the person of the page, past the page itself. */
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

/** Deletes a file as the person of the page, past the page itself. */
export async function deleteFile(page: Page, key: string): Promise<void> {
  const status = await page.evaluate(async (path) => {
    const { access_token: token } = (await (await fetch('/auth/session')).json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}`, 'ngsw-bypass': '' };
    return (await fetch(`/api/files/${path}`, { method: 'DELETE', headers })).status;
  }, key);
  expect(status).toBe(204);
}

/** The bytes of a stored file; undefined when there is none. */
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

/** The databases in which something of a person is kept. */
export function personalDatabases(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? '').filter((name) => name.startsWith('homeport.person.')),
  );
}
