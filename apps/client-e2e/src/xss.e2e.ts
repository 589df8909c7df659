import { encodeFilePath } from '@homeport/files/contracts';
import { expect, type Page, type Request, test } from '@playwright/test';
import { signedInAt } from './app-steps';
import { url } from './pages';
import { pdfOf, putFiles } from './viewer-steps';
import {
  HOSTILE_NAMES,
  JSON_PAYLOADS,
  MARKDOWN_PAYLOADS,
  MDX_PAYLOADS,
  PDF_ACTIONS,
  SVG_FILES,
  TEXT_PAYLOADS,
} from './xss-payloads';

/** Payloads that share a file; one that swallows those behind it is shown again alone. */
const TOGETHER = 12;
/** What a page of ours asks for while it shows a file. */
const EXPECTED_PATHS =
  /^\/($|\?|auth\/session$|api\/files([/?]|$)|sandbox\/|vendor\/|icons\/|(view|files|settings)(\/|$)|ngsw[\w.-]*$|[\w.-]+\.(js|css|json|webmanifest)$)/;
/** Elements that have no business in what a file says. */
const REFUSED =
  'script, iframe, object, embed, form, style, link, meta, base, template, video, audio, dialog, [srcdoc], [formaction], [srcset], [background], [ping]';

/** Notes everything a payload could achieve. */
class Watch {
  readonly #seen: string[] = [];
  /** Requests that leave; one that the policy of the page stops has not left. */
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
      const asked = new URL(request.url());
      if (asked.protocol === 'blob:' || asked.protocol === 'data:') return;
      if (asked.origin === origin && EXPECTED_PATHS.test(asked.pathname)) return;
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

/** Moves within the application, as a link of it does: what a payload has left in the page would show. */
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

/** What is wrong with the page as it stands. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate((refused) => {
    const faults: string[] = [];
    if ('pwned' in window || 'pwned' in Object.prototype) faults.push('a script ran');
    if (document.querySelectorAll('hp-root').length !== 1) faults.push('the shell was replaced');
    if (!document.querySelector('hp-root nav[aria-label="Main"]')) faults.push('the navigation is gone');
    if (new URL(document.baseURI).pathname !== '/') faults.push('the base address has changed');
    const page = document.querySelector('main hp-file-viewer');
    if (!page) return [...faults, 'the page is gone'];
    for (const each of page.querySelectorAll(refused)) faults.push(`element: ${each.outerHTML.slice(0, 90)}`);
    for (const each of page.querySelectorAll('*')) {
      for (const { name, value } of each.attributes) {
        if (name.startsWith('on')) faults.push(`handler: ${name}=${value}`);
        if (!/^(href|src|xlink:href|action|data)$/.test(name)) continue;
        const { protocol, origin } = new URL(value, document.baseURI);
        const isLink = name === 'href' && ['http:', 'https:', 'mailto:'].includes(protocol);
        const isPicture = name === 'src' && /^blob:|^data:image\/(png|jpeg|gif|webp|avif);/.test(value);
        const isOwn = name === 'src' && origin === location.origin && each.matches('hp-file-viewer > * img');
        if (!isLink && !isPicture && !isOwn) faults.push(`address: ${name}=${value}`);
      }
    }
    return faults;
  }, REFUSED);
}

async function expectUnharmed(page: Page, watch: Watch, what: string): Promise<void> {
  await expect.poll(async () => [...(await faultsOf(page)), ...watch.seen], { message: what }).toEqual([]);
}

function markdownOf(payloads: readonly string[]): string {
  return `Start\n\n${payloads.map((payload, index) => `${payload}\n\n## Probe ${index}\n`).join('\n')}`;
}

/** Shows payloads as rendered text; answers those that hid what came behind them. */
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

test('there are at least 300 of them', () => {
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
    // The service worker asks by itself; here every request is to be seen.
    page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
    await signedInAt(page, '/settings', 'erik');
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
    watch = new Watch(page);
  });
  test.afterEach(() => page.context().close());

  for (const [extension, payloads] of [
    ['md', MARKDOWN_PAYLOADS],
    ['mdx', MDX_PAYLOADS],
  ] as const) {
    test(`as .${extension} only show`, async () => {
      const groups = groupsOf(payloads, TOGETHER);
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
      // The text itself is shown to the last sign.
      const [key, text] = files[0] ?? ['', ''];
      await open(page, key, '?view=raw');
      await expect.poll(() => page.locator('hp-text-lines pre').evaluate((lines) => lines.textContent)).toBe(text);
      await expectUnharmed(page, watch, 'raw');
    });
  }

  test('draw nothing but pictures', async () => {
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

  test('as .json, .txt and .html stay text', async () => {
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

  test('as pictures and documents run nothing', async () => {
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

  test('may have any name', async () => {
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
