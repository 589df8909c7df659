import { expect, type Page, test } from '@playwright/test';
import { addSession, expectAccessibleLayout } from './app-steps';
import { putFiles } from './file-steps';
import { url } from './pages';
import { isFull } from './suites';
import { pdfOf, PNG, openInViewer } from './viewer-steps';

/** Size of a part of a text that is loaded in parts. */
const PART_BYTES = 2 * 1024 * 1024;
/** Bytes in one line; texts up to 8 MiB are shown whole. */
const ENDLESS = isFull ? 50_000_000 : 9_000_000;
const ENDLESS_PARTS = Math.ceil(ENDLESS / PART_BYTES);
/** Length of the longest line box; longer ones would freeze the page. */
const LONGEST_BOX = 16_384;
const HARD_NAME = '100% (final) #2; emoji 🎉?.md';
const HARD_LINK = '100%25%20%28final%29%20%232%3B%20emoji%20%F0%9F%8E%89%3F.md';

const GUIDE = `---
title: Guide
tags: [a, b]
---

# Guide

Text with ~~struck~~ words, https://a.example/auto, a footnote[^1], <kbd>K</kbd> and H<sub>2</sub>O.
[Hard](${HARD_LINK}), [part](other.md#second-part), [own part](#last-part), [dead](#nowhere).

![Inside](pictures/dot.png) ![Outside](https://images.example.com/x.png) ![Gone](gone.png)

| Region | ${'Revenue | '.repeat(12)}
| ------ | ${'------: | '.repeat(12)}
| North  | ${'1234567 | '.repeat(12)}

- [x] done
- [ ] to do

> [!WARNING]
> Take care.

\`\`\`ts
const answer: number = 42; // ${'a long line '.repeat(12)}
\`\`\`

<details><summary>More</summary>

## Folded part

Hidden.

</details>

${'Some more text to read.\n\n'.repeat(30)}
## Last part

The end.

## Another part

[^1]: The note.
`;

/** The text of the lines as the browser copies it. */
function selected(page: Page): Promise<string> {
  return page.locator('hp-text-lines pre').evaluate((lines) => {
    getSelection()?.selectAllChildren(lines);
    return String(getSelection());
  });
}

// Each test has separate files; parallel mode lets both workers share the longest ones.
test.describe.configure({ mode: 'parallel' });

test.beforeEach(async ({ page }, { project }) => {
  // A separate user for each screen size, because both may run in parallel with the same file names.
  await addSession(page, project.name === 'phone' ? 'ivy' : 'erik');
});

test('Markdown is rendered like on GitHub', async ({ page }) => {
  await putFiles(page, {
    'viewer/guide.md': GUIDE,
    'viewer/other.md': `# Other\n\n${'Words.\n\n'.repeat(60)}## Second part\n\n${'Words.\n\n'.repeat(60)}`,
    [`viewer/${HARD_NAME}`]: '# Hard\n\n[back](guide.md)',
    'viewer/pictures/dot.png': PNG,
  });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await openInViewer(page, 'viewer/guide.md');
  const prose = page.locator('.prose');

  await test.step('with all GitHub extensions', async () => {
    await expect(prose.getByRole('heading', { name: 'Guide', level: 1 })).toBeVisible();
    await expect(prose.getByRole('rowheader', { name: 'tags' })).toBeVisible();
    await expect(prose.getByRole('cell', { name: '1234567' })).toHaveCount(12);
    await expect(prose.getByRole('checkbox', { name: 'Done' })).toBeChecked();
    await expect(prose.locator('.markdown-alert-title')).toHaveText('Warning');
    await expect(prose.locator('.code .tok-keyword')).toHaveText(['const']);
    await expect(prose.getByRole('button', { name: 'Copy code' })).toBeVisible();
    await expect(prose.locator('del, kbd, sub')).toHaveCount(3);
    await expect(prose.getByRole('link', { name: 'https://a.example/auto' })).toHaveAttribute('rel', /noopener/);
    await expectAccessibleLayout(page);
  });

  await test.step('with images of the workspace only', async () => {
    const picture = prose.getByRole('img', { name: 'Inside' });
    await expect(picture).toHaveAttribute('src', /^blob:/);
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(16);
    await expect(prose.getByRole('link', { name: 'Outside on images.example.com' })).toBeVisible();
    await expect(prose.getByText('Gone (the picture could not be loaded)')).toBeVisible();
    expect(requests.filter((address) => !address.startsWith(url) && !address.startsWith('blob:'))).toEqual([]);
  });

  await test.step('with links to headings, files and headings of other files', async () => {
    await prose.getByRole('link', { name: 'dead' }).click();
    await expect(page).toHaveURL(/#nowhere$/);
    await prose.getByRole('link', { name: 'own part' }).click();
    await expect(prose.getByRole('heading', { name: 'Last part' })).toBeInViewport();
    await expect(page).toHaveURL(/guide\.md#last-part$/);
    await page.reload();
    await expect(prose.getByRole('heading', { name: 'Last part' })).toBeInViewport();
    await openInViewer(page, 'viewer/guide.md', '#folded-part');
    await expect(prose.getByText('Hidden.')).toBeVisible();
    await prose.getByRole('link', { name: 'part', exact: true }).click();
    await expect(page).toHaveURL(/other\.md#second-part$/);
    await expect(prose.getByRole('heading', { name: 'Second part' })).toBeInViewport();
    await openInViewer(page, 'viewer/guide.md');
    await prose.getByRole('link', { name: 'Hard' }).click();
    await expect(page.locator('main h1').first()).toHaveText(HARD_NAME);
    await expect(prose.getByRole('heading', { name: 'Hard' })).toBeVisible();
    await prose.getByRole('link', { name: 'back' }).click();
    await expect(prose.getByRole('heading', { name: 'Guide', level: 1 })).toBeVisible();
  });

  await test.step('with its source one click away', async () => {
    await page.getByRole('link', { name: 'Raw', exact: true }).click();
    await expect(page).toHaveURL(/guide\.md\?view=raw$/);
    await expect(page.locator('hp-text-lines .line')).toHaveCount(GUIDE.split('\n').length - 1);
    // The final line break closes the box and is not copied.
    expect(await selected(page)).toBe(GUIDE.trimEnd());
    await expectAccessibleLayout(page);
    await page.getByRole('link', { name: 'Preview', exact: true }).click();
    await expect(prose).toBeVisible();
  });
});

test('JSON is formatted without other changes', async ({ page }) => {
  const source = '{"b":9007199254740993,"a":1.0,"b":[1e400,"\\u0041"]}';
  await putFiles(page, { 'viewer/data.json': source, 'viewer/bad.json': '{\n  "a": 1\n  "b": 2\n}' });
  await openInViewer(page, 'viewer/data.json');
  const lines = page.locator('hp-text-lines .line');
  await expect(lines).toHaveText([
    '{',
    '"b": 9007199254740993,',
    '"a": 1.0,',
    '"b": [',
    '1e400,',
    '"\\u0041"',
    ']',
    '}',
  ]);
  await expect(page.locator('hp-text-lines .tok-number').first()).toHaveText('9007199254740993');
  await expectAccessibleLayout(page);
  await page.getByRole('link', { name: 'Raw', exact: true }).click();
  await expect(lines).toHaveText([source]);
  await openInViewer(page, 'viewer/bad.json');
  await expect(page.getByText('Invalid JSON at line 3, column 3. Showing the original text.')).toBeVisible();
  await expectAccessibleLayout(page);
});

test('text has line numbers, syntax highlighting and line links', async ({ page }) => {
  const source = Array.from({ length: 6_000 }, (_, index) => `const value${index} = ${index};\r\n`).join('');
  await putFiles(page, { 'viewer/code.ts': source, 'viewer/old.txt': Buffer.from('M\xfcll', 'latin1') });
  await openInViewer(page, 'viewer/code.ts', '#L5000-L5002');
  const marked = page.locator('hp-text-lines .line.marked');
  await expect(marked).toHaveText(['const value4999 = 4999;', 'const value5000 = 5000;', 'const value5001 = 5001;']);
  await expect(marked.first()).toBeInViewport();
  await expect(marked.first().locator('.tok-keyword')).toHaveText('const');
  await marked.nth(2).click({ position: { x: 6, y: 8 } });
  await expect(page).toHaveURL(/#L5002$/);
  await expectAccessibleLayout(page);
  const wrapped = page.locator('hp-text-lines pre.wrapped');
  await expect(wrapped).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Do not wrap lines' }).click();
  await expect(wrapped).toHaveCount(0);
  await page.reload();
  await expect(page.locator('hp-text-lines .line').first()).toBeVisible();
  await expect(wrapped).toHaveCount(0);
  await openInViewer(page, 'viewer/old.txt');
  await expect(page.getByText('Müll')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Copy text' })).toBeVisible();
  // Phones have no space for these buttons.
  const isPhone = test.info().project.name === 'phone';
  await expect(page.getByRole('button', { name: 'Download' })).toHaveCount(isPhone ? 0 : 1);
  await expect(page.getByRole('menuitem', { name: /^(Download|Copy link)$/ })).toHaveCount(isPhone ? 2 : 0);
  await expectAccessibleLayout(page);
});

test('a large text is loaded in parts', async ({ page }) => {
  await putFiles(page, {
    'viewer/large.log': Array.from({ length: 345_000 }, (_, index) => `line ${index + 1} äöü 🎉\r\n`).join(''),
    'viewer/endless.txt': 'x'.repeat(ENDLESS),
  });
  await openInViewer(page, 'viewer/large.log');
  await expect(page.getByText('Part 1 of 5')).toBeVisible();
  const lines = page.locator('hp-text-lines .line');
  await expect(lines.first()).toHaveText('line 1 äöü 🎉');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Part 2 of 5')).toBeVisible();
  await expect(lines.first()).not.toHaveText('line 1 äöü 🎉');
  await expect(lines.first()).toHaveText(/^line \d+ äöü 🎉\s*$/);
  // Line numbers continue through all parts.
  const [number, text] = await lines
    .first()
    .evaluate((line) => [(line as HTMLElement).dataset['line'], line.textContent]);
  expect(text).toContain(`line ${number} `);
  await page.getByRole('button', { name: 'Last' }).click();
  await expect(page.getByText('Part 5 of 5')).toBeVisible();
  // Here, because the last part is short: the checks of a whole part take long.
  await expectAccessibleLayout(page);
  await page.getByRole('textbox', { name: 'Go to a position' }).fill('50%');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(page.getByText('Part 3 of 5')).toBeVisible();
  await page.getByRole('textbox', { name: 'Go to a position' }).fill('far');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Enter a percentage');

  await openInViewer(page, 'viewer/endless.txt');
  await expect(page.getByText(`Part 1 of ${ENDLESS_PARTS}`)).toBeVisible();
  await expect(page.getByText('Very long lines are split for display.')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(`Part 2 of ${ENDLESS_PARTS}`)).toBeVisible();
  await expect(lines.first()).toBeVisible();
  const boxes = page.locator('hp-text-lines .block');
  const lengths = await boxes.evaluateAll((pieces) => pieces.map(({ textContent }) => textContent.length));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(LONGEST_BOX);
});

test('the progress of a large file is shown while it loads', async ({ page }) => {
  // A server that sends the first half and waits, which a mocked response cannot do.
  await page.addInitScript((half) => {
    const original = window.fetch;
    window.fetch = async (input, init) => {
      const response = await original(input, init);
      if (init?.method !== 'GET' || !response.url.endsWith('/large.png')) return response;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new Uint8Array(half));
          addEventListener('continue', () => controller.close(), { once: true });
        },
      });
      return new Response(body, { headers: response.headers });
    };
  }, 1024 * 1024);
  await putFiles(page, { 'viewer/large.png': Buffer.alloc(2 * 1024 * 1024) });
  await page.goto(`${url}/view/viewer/large.png`);
  const bar = page.getByRole('progressbar', { name: 'Loading large.png' });
  await expect(bar).toHaveAttribute('aria-valuenow', '50');
  await expect(page.getByText('1.0 MiB of 2.0 MiB')).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('continue')));
  await expect(bar).toBeHidden();
});

test('images, documents and unknown files are shown by their type', async ({ page }) => {
  await putFiles(page, {
    'viewer/dot.png': PNG,
    'viewer/dot.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>',
    'viewer/broken.png': 'no picture',
    'viewer/report.pdf': pdfOf('Quarterly report'),
    'viewer/broken.pdf': 'no document',
    'viewer/archive.zip': Buffer.from('504b030400ff00', 'hex'),
    'viewer/empty.md': '',
  });
  await openInViewer(page, 'viewer/dot.png');
  await expect(page.getByText('16 × 16 pixels')).toBeVisible();
  await page.getByRole('button', { name: 'Actual size' }).click();
  await expect(page.getByRole('button', { name: 'Actual size' })).toHaveAttribute('aria-pressed', 'true');
  const picture = page.getByRole('region', { name: 'Picture' });
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect(page.getByText('150%')).toBeVisible();
  await picture.press('+');
  await expect(picture.getByRole('img')).toHaveCSS('width', '32px');
  await picture.press('0');
  await expect(page.getByText('100%')).toBeVisible();
  await expectAccessibleLayout(page);
  await openInViewer(page, 'viewer/dot.svg');
  await expect(page.getByText('40 × 30 pixels')).toBeVisible();
  await openInViewer(page, 'viewer/broken.png');
  await expect(page.getByRole('alert')).toContainText('damaged');
  await openInViewer(page, 'viewer/report.pdf');
  await expect(page.getByText('2 pages')).toBeVisible();
  await expect(page.locator('.pdf-page').first().getByText('Quarterly report')).toBeAttached();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect(page.getByText('125%')).toBeVisible();
  await expect(page.locator('.pdf-page canvas').first()).toBeVisible();
  await expectAccessibleLayout(page);
  await openInViewer(page, 'viewer/broken.pdf');
  await expect(page.getByRole('alert')).toContainText('damaged');
  await openInViewer(page, 'viewer/archive.zip');
  await expect(page.getByRole('heading', { name: 'ZIP archive' })).toBeVisible();
  await expect(page.getByText('50 4b 03 04 00 ff 00')).toBeVisible();
  await expectAccessibleLayout(page);
  await openInViewer(page, 'viewer/empty.md');
  await expect(page.getByText('This file is empty.')).toBeVisible();
  await expectAccessibleLayout(page);
  await openInViewer(page, 'viewer/missing.md');
  await expect(page.getByText('File not found')).toBeVisible();
  await expectAccessibleLayout(page);
});

test('a notice is shown when a reopened file has changed', async ({ page }) => {
  await putFiles(page, { 'viewer/changing.md': '# Before' });
  await openInViewer(page, 'viewer/changing.md');
  await expect(page.getByRole('heading', { name: 'Before' })).toBeVisible();
  await putFiles(page, { 'viewer/changing.md': '# After' });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('button', { name: 'Show the new version' }).click();
  await expect(page.getByRole('heading', { name: 'After' })).toBeVisible();
  await expect(page.getByText('has been changed')).toHaveCount(0);
});

test('closing a document while it loads terminates its worker', async ({ browser }, { project }) => {
  const { viewport = null } = project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await addSession(page, project.name === 'phone' ? 'ivy' : 'erik');
  await putFiles(page, { 'viewer/left.pdf': pdfOf('Left') });
  const held = Promise.withResolvers<undefined>();
  await page.route('**/vendor/pdf.worker.min.mjs', async (route) => {
    await held.promise;
    await route.continue();
  });
  const scriptRequest = page.waitForRequest('**/vendor/pdf.worker.min.mjs');
  const workerStarted = page.waitForEvent('worker');
  await openInViewer(page, 'viewer/left.pdf');
  await scriptRequest;
  await page.getByRole('link', { name: /^Home/ }).first().click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  held.resolve(undefined);
  const worker = await workerStarted;
  if (page.workers().includes(worker)) await worker.waitForEvent('close');
  expect(page.workers()).toEqual([]);
  await page.context().close();
});
