import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const sources = globSync(['libs/*/web/**/*.{css,ts}', 'apps/client/src/**/*.{css,ts}'], { cwd: root });

/** A margin, padding or gap in CSS, or in the styles of a component. */
const SPACING = /^\s*(?:margin|padding|(?:row-|column-)?gap)(?:-[a-z-]+)?: ?[^;\n]*;?/gm;

/** Up to 3 px are optical corrections, such as of a border or a baseline. */
const PIXELS = /\b(?:[4-9]|\d{2,})px/;

it('takes spacing from the scale in tokens.css', () => {
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.flatMap((source) =>
    [...readFileSync(join(root, source), 'utf8').matchAll(SPACING)]
      .map(([declaration]) => `${source}: ${declaration.trim()}`)
      .filter((line) => PIXELS.test(line)),
  );
  expect(found).toEqual([]);
});
