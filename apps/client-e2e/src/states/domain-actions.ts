import { expect, type Locator, type Page } from '@playwright/test';
import { HOSTNAMES_ONLY } from './domain-fixtures';

export async function addDomainDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add domain' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a domain' });
  await expect(dialog.getByText(/^It costs/)).toBeVisible();
  return dialog;
}

export async function baseDomainDialog(page: Page): Promise<void> {
  const dialog = await addDomainDialog(page);
  await dialog.getByRole('radio', { name: 'All apps' }).check();
  await dialog.getByRole('textbox').fill('https://acme.example/');
  await expect(dialog.getByText('Apps here receive cookies set for acme.example.')).toBeVisible();
}

/** Adds the first domain where the installation offers no base domains. */
export async function hostnameOnlyDialog(page: Page): Promise<void> {
  await page.route('**/api/domains', (route) => route.fulfill({ json: HOSTNAMES_ONLY }));
  await page.reload();
  await page.getByRole('button', { name: 'Add your first domain' }).click();
  await expect(page.getByRole('dialog').getByText('A domain shows one app.')).toBeVisible();
}

/** Sends a name that the server refuses. */
export async function refusedDomain(page: Page): Promise<void> {
  const reason =
    'Anyone can register names below "github.io", so no organization can own it. Enter a name of your own below it.';
  await page.route('**/api/domains', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          json: {
            ...{ type: 'about:blank', title: 'Public suffix', status: 400, detail: reason },
            ...{ code: 'apps.domain-public-suffix', request_id: 'r', errors: [{ field: 'name', reason }] },
          },
        })
      : route.fallback(),
  );
  const dialog = await addDomainDialog(page);
  await dialog.getByRole('combobox', { name: 'App' }).selectOption('Landing page');
  await dialog.getByRole('textbox').fill('github.io');
  await dialog.getByRole('button', { name: 'Add for $10 a month' }).click();
  await expect(dialog.getByText('Anyone can register names')).toBeVisible();
}

export async function removalDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Remove domain' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
}
