import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleLayout, registerApp, signedInAt, uniqueName } from './app-steps';
import { personOf, putFile, uniqueDirectory } from './file-steps';
import { url } from './pages';

/** The card of a kind of tokens, or of the repositories of an app. */
const card = (page: Page, name: string): Locator => page.getByRole('region', { name });
const rowOf = (list: Locator, name: string): Locator => list.getByRole('listitem').filter({ hasText: name });

/** Creates a token in the open dialog and returns its secret. */
async function createToken(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByRole('heading', { name: 'Token created' })).toBeVisible();
  const secret = await dialog.locator('code').innerText();
  await expectAccessibleLayout(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  return secret;
}

/** The status of a GET request with a token. */
async function statusWith(token: string, path: string): Promise<number> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

test('a personal token is shown once, reads one folder, and is revoked @phone', async ({ page }, info) => {
  await signedInAt(page, '/settings', personOf(info));
  const directory = uniqueDirectory('token');
  await putFile(page, `${directory}/in.md`, '# In');
  await putFile(page, `${directory}-beside.md`, '# Beside');
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await sections.getByRole('link', { name: 'Tokens' }).click();
  await expect(page).toHaveTitle('Access tokens · Homeport');
  await expect(sections.locator('[aria-current]')).toHaveText('Tokens');
  const personal = card(page, 'Personal tokens');
  await personal.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New personal token' });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expectAccessibleLayout(page);
  await dialog.getByLabel('Folder').fill(`${directory}/`);
  const name = uniqueName('Backup');
  const token = await createToken(page, name);
  expect(token).toMatch(/^hp_[0-9A-Za-z]{40}$/);
  await expect(page.getByText(token)).toHaveCount(0);
  const row = rowOf(personal, name);
  await expect(row).toContainText('Read and list files');
  await expect(row).toContainText(`${directory}/`);
  await expect(row).toContainText('Never used');

  expect(await statusWith(token, `/api/files/${directory}/in.md`)).toBe(200);
  expect(await statusWith(token, `/api/files/${directory}-beside.md`)).toBe(404);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click();
  await expect(row).toHaveCount(0);
  await expect.poll(() => statusWith(token, `/api/files/${directory}/in.md`)).toBe(401);
});

test('an app is deployed by its own token and by connected repositories', async ({ page }, info) => {
  await signedInAt(page, '/apps', personOf(info));
  const app = await registerApp(page, uniqueName('Piped'));
  await page.goto(`${url}/apps/${app.id}/settings`);
  const tokens = card(page, 'Tokens of this app');
  await tokens.getByRole('button', { name: 'New token' }).click();
  const token = await createToken(page, 'Release server');
  await expect(rowOf(tokens, 'Release server')).toContainText('Deploy and roll back');
  await expect(rowOf(tokens, 'Release server')).toContainText('Created by ');
  expect(await statusWith(token, `/api/apps/${app.id}`)).toBe(200);
  expect(await statusWith(token, '/api/files')).toBe(403);

  const repositories = card(page, 'Deploy from repositories');
  await repositories.getByRole('button', { name: 'Connect repository' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a repository' });
  await dialog.getByLabel('Repository').fill('shop');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(dialog.getByText('Enter the repository as owner/name')).toBeVisible();
  await expectAccessibleLayout(page);
  await dialog.getByLabel('Repository').fill('acme/shop');
  await dialog.getByLabel('Branch').fill('main');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(rowOf(repositories, 'acme/shop')).toContainText('main');
  await page.reload();
  await expect(rowOf(tokens, 'Release server')).toContainText('Used');
  await rowOf(repositories, 'acme/shop').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(repositories.getByText('No repository is connected.')).toBeVisible();
});
