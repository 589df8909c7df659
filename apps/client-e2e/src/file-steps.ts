import { randomBytes } from 'node:crypto';
import { encodeFilePath } from '@homeport/files/contracts';
import { expect, type Page, type TestInfo } from '@playwright/test';
import { accessTokenOf } from './app-steps';
import { url } from './pages';

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

/** Requests a file as the signed-in user of the page, which need not be open. */
async function fileRequest(page: Page, key: string, options: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${await accessTokenOf(page)}`;
  return fetch(`${url}/api/files/${encodeFilePath(key)}`, { ...options, headers: { authorization } });
}

/** Stores a file through the API as the signed-in user. */
export async function putFile(
  page: Page,
  key: string,
  content: string | readonly number[] | Uint8Array,
): Promise<void> {
  const body = typeof content === 'string' ? Buffer.from(content) : Uint8Array.from(content);
  expect([200, 201], key).toContain((await fileRequest(page, key, { method: 'PUT', body })).status);
}

export async function putFiles(page: Page, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  await Promise.all(Object.entries(files).map(([key, content]) => putFile(page, key, content)));
}

/** Deletes a file through the API as the signed-in user. */
export async function deleteFile(page: Page, key: string): Promise<void> {
  expect((await fileRequest(page, key, { method: 'DELETE' })).status).toBe(204);
}

/** Reads a stored file; undefined when it does not exist. */
export async function readBytes(page: Page, key: string): Promise<readonly number[] | undefined> {
  const answer = await fileRequest(page, key);
  return answer.status === 404 ? undefined : [...new Uint8Array(await answer.arrayBuffer())];
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
