import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** The folder of the code that runs inside sandboxes. */
export const GUEST_FOLDER = join(import.meta.dirname, '../guest');

/** Packages that the code inside sandboxes imports. */
export const GUEST_PACKAGES = ['@hono/node-server', 'hono'] as const;

/** The folder of an installed package. */
export function packageFolder(name: (typeof GUEST_PACKAGES)[number]): string {
  const end = join('node_modules', name) + sep;
  const entry = resolve(name);
  return dirname(join(entry.slice(0, entry.lastIndexOf(end) + end.length), 'package.json'));
}
