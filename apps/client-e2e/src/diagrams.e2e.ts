import { expect, test } from '@playwright/test';
import { expectAccessibleLayout, signedInAt } from './app-steps';
import { collectPageErrors } from './pages';
import { putFiles, openInViewer } from './viewer-steps';

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

/** What has the name of the program behind diagrams, and never comes to an end. */
const HANGING = 'globalThis.mermaid = { initialize() {}, render: () => new Promise(() => {}) };';
/** How long a first drawing may take. */
const PATIENCE_MS = 30_000;

// Both sizes may be tested at once, with the same names.
const personOf = (project: string) => (project === 'phone' ? 'ivy' : 'erik');

test('diagrams and formulas are drawn in their frame', async ({ page }, { project }) => {
  await signedInAt(page, '/settings', personOf(project.name));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  const complaints = collectPageErrors(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await putFiles(page, { 'viewer/drawn.md': DRAWN, 'viewer/plain.md': '# Plain' });
  await openInViewer(page, 'viewer/plain.md');
  await expect(page.locator('.prose h1')).toHaveText('Plain');
  expect(asked.filter((path) => path.startsWith('/sandbox/'))).toEqual([]);
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
  expect(complaints).toEqual([]);
});

test('a drawing that never ends is ended, and the next one is made', async ({ browser }, { project }) => {
  const { viewport = null } = project.use;
  // The service worker would ask past the test.
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  await signedInAt(page, '/settings', personOf(project.name));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  const source = `\`\`\`mermaid\nflowchart LR\n\`\`\`\n\n${'Words.\n\n'.repeat(200)}$$\n\\frac{a}{b}\n$$\n`;
  await putFiles(page, { 'viewer/hanging.md': source });
  await page.route('**/sandbox/mermaid.min.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: HANGING }),
  );
  await page.clock.install();
  const begun = page.waitForResponse('**/sandbox/mermaid.min.js');
  await openInViewer(page, 'viewer/hanging.md');
  await begun;
  await expect(page.getByText('Drawing…')).toBeVisible();
  await page.locator('.formula').scrollIntoViewIfNeeded();
  await page.clock.fastForward(PATIENCE_MS);
  await expect(page.getByText('This diagram cannot be drawn. Drawing it takes too long.')).toHaveCount(1);
  await expect(page.locator('.formula math')).toHaveCount(1);
  await expect(page.locator('iframe')).toHaveCount(1);
  await context.close();
});
