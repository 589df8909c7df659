import type { Bundle } from './bundle';
import { PACKAGE, startFileOf } from './node';

/** How to build for Node.js, and what to deploy, by the package of the framework. */
const BUILDS: readonly (readonly [name: string, framework: string, advice: string])[] = [
  ['next', 'a Next.js app', 'Build it with output: "standalone", and deploy ".next/standalone".'],
  ['nuxt', 'a Nuxt app', 'Build it, and deploy ".output".'],
  ['astro', 'an Astro app', 'Build it with "@astrojs/node" in the mode "standalone", and deploy "dist".'],
  ['@sveltejs/kit', 'a SvelteKit app', 'Build it with "@sveltejs/adapter-node", and deploy "build".'],
  [
    '@angular/core',
    'an Angular app',
    'Build it with server rendering, and deploy the folder of the project in "dist".',
  ],
  [
    'react-router',
    'a React Router app',
    'Build it, run "npm prune --omit=dev", and deploy the project with both results.',
  ],
  ['nitropack', 'a Nitro app', 'Build it, and deploy ".output".'],
];

/** @returns what to do about an upload without a server, when the upload is the folder of a project. */
export function explainMissingServer({ texts }: Bundle): string | undefined {
  const text = texts.get(PACKAGE);
  const packages = packagesOf(text);
  const found = BUILDS.find(([name]) => packages.has(name));
  if (found) return `The upload is the source of ${found[1]}. ${found[2]}`;
  const file = startFileOf(text);
  if (file === undefined) return undefined;
  return `The start script runs "${file}", which the upload does not have. Build the project before you deploy it.`;
}

function packagesOf(text: string | undefined): ReadonlySet<string> {
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(text ?? '') as Record<string, object | undefined>;
    return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  } catch {
    return new Set();
  }
}
