import { encodeFilePath } from '@homeport/files/contracts';
import { expect, type Page, type Request, test } from '@playwright/test';
import { signedInAt } from './app-steps';
import { putFiles } from './file-steps';
import { url } from './pages';
import { isFull } from './suites';
import { pdfOf } from './viewer-steps';
import {
  HOSTILE_NAMES,
  JSON_PAYLOADS,
  MARKDOWN_PAYLOADS,
  MDX_PAYLOADS,
  PDF_ACTIONS,
  SVG_FILES,
  TEXT_PAYLOADS,
} from './xss-payloads';

/** The gate shows every third payload of Markdown, so that each kind of payload is in the sample. */
const sampleOf = (payloads: readonly string[]) => payloads.filter((_, index) => isFull || index % 3 === 0);

/** Payloads per file; a payload that hides those behind it is tested again in a separate file. */
const PAYLOADS_PER_FILE = 12;
/** The requests that the client makes while it shows a file. */
const EXPECTED_PATHS =
  /^\/($|\?|auth\/session$|api\/(files|apps|events)([/?]|$)|sandbox\/|vendor\/|fonts\/|icons\/|(view|files|settings)(\/|$)|ngsw[\w.-]*$|[\w.-]+\.(js|css|json|webmanifest)$)/;
/** Elements and attributes that must not appear in rendered content. */
const FORBIDDEN_SELECTOR =
  'script, iframe, object, embed, form, style, link, meta, base, template, video, audio, dialog, [srcdoc], [formaction], [srcset], [background], [ping]';

/** Records every effect that a payload could have. */
class Watch {
  readonly #seen: string[] = [];
  /** Requests that left the page; those blocked by the CSP are removed. */
  readonly #requests = new Set<Request>();

  constructor(page: Page) {
    const origin = new URL(url).origin;
    const context = page.context();
    page.on('dialog', (dialog) => {
      this.#seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('page', (opened) => this.#seen.push(`window: ${opened.url()}`));
    context.on('request', (request) => {
      const target = new URL(request.url());
      if (target.protocol === 'blob:' || target.protocol === 'data:') return;
      if (target.origin === origin && EXPECTED_PATHS.test(target.pathname)) return;
      this.#requests.add(request);
    });
    context.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') this.#requests.delete(request);
    });
    page.on('framenavigated', (frame) => {
      const { origin: now, pathname } = new URL(frame.url());
      const isOurs = frame === page.mainFrame() ? now === origin : pathname === '/sandbox/render.html';
      if (!isOurs) this.#seen.push(`navigation: ${frame.url()}`);
    });
    page.on('download', (download) => this.#seen.push(`download: ${download.url()}`));
  }

  get seen(): readonly string[] {
    return [...this.#seen, ...[...this.#requests].map((request) => `request: ${request.url()}`)];
  }
}

/** Opens a file by client-side navigation, so that changes left by a payload in the page persist. */
async function open(page: Page, key: string, rest = ''): Promise<void> {
  const address = `/view/${encodeFilePath(key).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))}${rest}`;
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await expect(page.locator('main h1').first()).toHaveText(key.slice(key.lastIndexOf('/') + 1), {
    useInnerText: false,
  });
}

/** Problems in the current page. */
function problemsOf(page: Page): Promise<string[]> {
  return page.evaluate((refused) => {
    const problems: string[] = [];
    if ('pwned' in window || 'pwned' in Object.prototype) problems.push('a script ran');
    if (document.querySelectorAll('hp-root').length !== 1) problems.push('the shell was replaced');
    if (!document.querySelector('hp-root nav[aria-label="Main"]')) problems.push('the navigation is missing');
    if (document.baseURI !== location.href) problems.push('the base URL has changed');
    const page = document.querySelector('main hp-file-viewer');
    if (!page) return [...problems, 'the page is missing'];
    for (const each of page.querySelectorAll(refused)) problems.push(`element: ${each.outerHTML.slice(0, 90)}`);
    for (const each of page.querySelectorAll('*')) {
      for (const { name, value } of each.attributes) {
        if (name.startsWith('on')) problems.push(`handler: ${name}=${value}`);
        if (!/^(href|src|xlink:href|action|data)$/.test(name)) continue;
        const { protocol, origin } = new URL(value, document.baseURI);
        const isLink = name === 'href' && ['http:', 'https:', 'mailto:'].includes(protocol);
        const isPicture = name === 'src' && /^blob:|^data:image\/(png|jpeg|gif|webp|avif);/.test(value);
        const isOwn = name === 'src' && origin === location.origin && each.matches('hp-file-viewer > * img');
        if (!isLink && !isPicture && !isOwn) problems.push(`URL: ${name}=${value}`);
      }
    }
    return problems;
  }, FORBIDDEN_SELECTOR);
}

async function expectUnharmed(page: Page, watch: Watch, what: string): Promise<void> {
  await expect.poll(async () => [...(await problemsOf(page)), ...watch.seen], { message: what }).toEqual([]);
}

function markdownOf(payloads: readonly string[]): string {
  return `Start\n\n${payloads.map((payload, index) => `${payload}\n\n## Probe ${index}\n`).join('\n')}`;
}

/** Renders payloads; reports whether one of them hid those behind it. */
async function showTogether(page: Page, key: string, count: number): Promise<boolean> {
  await open(page, key);
  await expect(page.locator('.prose')).toContainText('Start');
  const probes = await page.locator('.prose').evaluate((prose) => prose.textContent.match(/Probe \d+/g)?.length ?? 0);
  return probes >= count;
}

function groupsOf<T>(list: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

test('there are at least 300 payloads', () => {
  const kinds = {
    md: MARKDOWN_PAYLOADS.length,
    mdx: MDX_PAYLOADS.length,
    json: JSON_PAYLOADS.length,
    text: TEXT_PAYLOADS.length,
    names: HOSTILE_NAMES.length,
    pictures: SVG_FILES.length,
    documents: PDF_ACTIONS.length,
  };
  const different = new Set(
    [MARKDOWN_PAYLOADS, MDX_PAYLOADS, JSON_PAYLOADS, HOSTILE_NAMES, SVG_FILES, PDF_ACTIONS].flat(),
  );
  process.stdout.write(`  ${different.size} hostile payloads: ${JSON.stringify(kinds)}\n`);
  expect(different.size).toBeGreaterThanOrEqual(300);
});

test.describe('hostile files', () => {
  let page: Page;
  let watch: Watch;

  test.beforeEach(async ({ browser }) => {
    // The service worker sends requests itself; here every request must be visible.
    page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
    await signedInAt(page, '/settings', 'erik');
    await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
    watch = new Watch(page);
  });
  test.afterEach(() => page.context().close());

  for (const [extension, payloads] of [
    ['md', MARKDOWN_PAYLOADS],
    ['mdx', MDX_PAYLOADS],
  ] as const) {
    test(`as .${extension} are only displayed`, async () => {
      const groups = groupsOf(sampleOf(payloads), PAYLOADS_PER_FILE);
      const files = groups.map((group, index) => [`xss/group-${index}.${extension}`, markdownOf(group)] as const);
      await putFiles(page, Object.fromEntries(files));
      const alone: string[] = [];
      for (const [index, [key]] of files.entries()) {
        const group = groups[index] ?? [];
        if (!(await showTogether(page, key, group.length))) alone.push(...group);
        await expectUnharmed(page, watch, group.join('\n'));
      }
      const singles = alone.map((payload, index) => [`xss/alone-${index}.${extension}`, payload] as const);
      await putFiles(page, Object.fromEntries(singles.map(([key, payload]) => [key, markdownOf([payload])])));
      for (const [key, payload] of singles) {
        await showTogether(page, key, 1);
        await expectUnharmed(page, watch, payload);
      }
      // The plain text is shown completely.
      const [key, text] = files[0] ?? ['', ''];
      await open(page, key, '?view=raw');
      await expect.poll(() => page.locator('hp-text-lines pre').evaluate((lines) => lines.textContent)).toBe(text);
      await expectUnharmed(page, watch, 'raw');
    });
  }

  test('are rendered as images only', async () => {
    const drawings = MARKDOWN_PAYLOADS.filter((payload) => /^(```(mermaid|math)|\$)/.test(payload));
    await putFiles(page, { 'xss/drawings.md': drawings.join('\n\n') });
    await open(page, 'xss/drawings.md');
    const faces = page.locator('.diagram .face');
    await expect(faces).toHaveCount(drawings.filter((payload) => payload.startsWith('```mermaid')).length);
    for (const face of await faces.all()) {
      await face.scrollIntoViewIfNeeded();
      await expect(face).not.toHaveText('Drawing…');
    }
    await expect(page.locator('.diagram img').first()).toBeVisible();
    await expect(page.locator('.formula math, .formula .fault').first()).toBeVisible();
    await expectUnharmed(page, watch, 'drawings');
  });

  test('as .json, .txt and .html stay plain text', async () => {
    const files = {
      'xss/payloads.txt': TEXT_PAYLOADS.join('\n'),
      'xss/payloads.html': TEXT_PAYLOADS.join('\n'),
      'xss/payloads.xml': TEXT_PAYLOADS.join('\n'),
      ...Object.fromEntries(
        groupsOf(JSON_PAYLOADS, 30).map((group, index) => [`xss/payloads-${index}.json`, `[${group.join(',\n')}]`]),
      ),
      'xss/lines.json': JSON_PAYLOADS.join('\n'),
    };
    await putFiles(page, files);
    for (const [key, text] of Object.entries(files)) {
      for (const rest of key.endsWith('.json') ? ['', '?view=raw'] : ['']) {
        await open(page, key, rest);
        await expect(page.locator('hp-text-lines .line').first()).toBeVisible();
        const shown = (): Promise<string> =>
          page.locator('hp-text-lines pre').evaluate((lines) => lines.textContent.replace(/\s/g, ''));
        await expect.poll(shown).toBe(text.replace(/\s/g, ''));
        await expectUnharmed(page, watch, key);
      }
    }
  });

  test('as images and documents run no script', async () => {
    const svg = SVG_FILES.map((text, index) => [`xss/picture-${index}.svg`, text] as const);
    const pdf = PDF_ACTIONS.map((action, index) => [`xss/document-${index}.pdf`, pdfOf('Words', action)] as const);
    await putFiles(page, Object.fromEntries<string | Uint8Array>([...svg, ...pdf]));
    for (const [key] of svg) {
      await open(page, key);
      await expect(page.locator('hp-picture-view img, hp-picture-view [role=alert]').first()).toBeVisible();
      await expectUnharmed(page, watch, key);
    }
    for (const [key] of pdf) {
      await open(page, key);
      await expect(page.locator('.pdf-page canvas').first()).toBeVisible();
      await expectUnharmed(page, watch, key);
    }
  });

  test('may have hostile names', async () => {
    const stored = HOSTILE_NAMES.filter((name) => !name.includes('/'));
    await putFiles(page, Object.fromEntries(stored.map((name) => [`xss-names/${name}`, `# Named\n\n[it](./x.md)`])));
    for (const name of stored) {
      await open(page, `xss-names/${name}`);
      await expectUnharmed(page, watch, name);
    }
    for (const place of ['/', '/files/xss-names']) {
      await page.goto(url + place);
      await expect(page.locator('main a[href^="/view/xss-names/"]').first()).toBeVisible();
      expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
      const handlers = await page
        .locator('main *')
        .evaluateAll((all) => all.flatMap((each) => [...each.attributes].filter(({ name }) => name.startsWith('on'))));
      expect(handlers).toEqual([]);
      const schemes = await page
        .locator('a[href]')
        .evaluateAll((links) => [...new Set(links.map((link) => new URL((link as HTMLAnchorElement).href).origin))]);
      expect(schemes).toEqual([new URL(url).origin]);
    }
    expect(watch.seen).toEqual([]);
  });
});
