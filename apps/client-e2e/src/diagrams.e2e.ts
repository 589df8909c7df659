import { expect, test } from '@playwright/test';
import { addSession, expectAccessibleLayout } from './app-steps';
import { putFiles } from './file-steps';
import { collectPageErrors } from './pages';
import { openInViewer } from './viewer-steps';

const DRAWN = `# Drawn

Inline $\\sqrt{x}$ and

$$
\\frac{a}{b}
$$

\`\`\`mermaid
flowchart LR
  A[Start] --> B[End]
\`\`\`

\`\`\`mermaid
nothing anybody knows
\`\`\`
`;

/** Replaces the diagram library with one that never finishes. */
const HANGING = 'globalThis.mermaid = { initialize() {}, render: () => new Promise(() => {}) };';
/** Time limit for the first drawing. */
const DRAWING_TIMEOUT_MS = 30_000;

// A separate user for each screen size, because both may run in parallel with the same file names.
const personOf = (project: string) => (project === 'phone' ? 'ivy' : 'erik');

test('diagrams and formulas are rendered in their frame', async ({ page }, { project }) => {
  await addSession(page, personOf(project.name));
  const errors = collectPageErrors(page);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await putFiles(page, { 'viewer/drawn.md': DRAWN, 'viewer/plain.md': '# Plain' });
  await openInViewer(page, 'viewer/plain.md');
  await expect(page.locator('.prose h1')).toHaveText('Plain');
  expect(requests.filter((path) => path.startsWith('/sandbox/'))).toEqual([]);
  await openInViewer(page, 'viewer/drawn.md');
  await expect(page.locator('.formula math')).toHaveCount(2);
  const diagram = page.getByRole('img', { name: /^Diagram: flowchart LR A\[Start\]/ });
  await diagram.scrollIntoViewIfNeeded();
  await expect.poll(() => diagram.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(50);
  await page.getByText('This diagram cannot be drawn.').scrollIntoViewIfNeeded();
  await expect(page.getByText('nothing anybody knows', { exact: true })).toBeVisible();
  const before = await diagram.getAttribute('src');
  await expectAccessibleLayout(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(diagram).not.toHaveAttribute('src', before ?? '');
  await expect(page.locator('iframe')).toHaveAttribute('sandbox', 'allow-scripts');
  expect(errors).toEqual([]);
});

test('a diagram that never finishes is aborted, and the next one is rendered', async ({ browser }, { project }) => {
  const { viewport = null } = project.use;
  // The service worker would bypass the test's routes.
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  await addSession(page, personOf(project.name));
  const source = `\`\`\`mermaid\nflowchart LR\n\`\`\`\n\n${'Words.\n\n'.repeat(200)}$$\n\\frac{a}{b}\n$$\n`;
  await putFiles(page, { 'viewer/hanging.md': source });
  await page.route('**/sandbox/mermaid.min.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: HANGING }),
  );
  await page.clock.install();
  const scriptResponse = page.waitForResponse('**/sandbox/mermaid.min.js');
  await openInViewer(page, 'viewer/hanging.md');
  await scriptResponse;
  await expect(page.getByText('Drawing…')).toBeVisible();
  await page.locator('.formula').scrollIntoViewIfNeeded();
  await page.clock.fastForward(DRAWING_TIMEOUT_MS);
  await expect(page.getByText('This diagram cannot be drawn. Drawing took too long.')).toHaveCount(1);
  await expect(page.locator('.formula math')).toHaveCount(1);
  await expect(page.locator('iframe')).toHaveCount(1);
  await context.close();
});
