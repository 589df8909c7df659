import type { Bundle } from './bundle';
import { PACKAGE, startCommandOf, startFileOf } from './node';

const MAX_COMMAND_LENGTH = 100;

/** How to build for Node.js, and what to deploy, by the package of the framework. */
const BUILDS: readonly (readonly [name: string, advice: string])[] = [
  [
    'next',
    'The upload is the source of a Next.js app. Build it with output: "standalone", copy ".next/static" to ' +
      '".next/standalone/.next/static" and "public" to ".next/standalone/public", and deploy ".next/standalone".',
  ],
  ['nuxt', 'The upload is the source of a Nuxt app. Build it, and deploy ".output".'],
  [
    'astro',
    'The upload is the source of an Astro app. Build it with "@astrojs/node" in the mode "standalone", and deploy "dist".',
  ],
  [
    '@sveltejs/kit',
    'The upload is the source of a SvelteKit app. Build it with "@sveltejs/adapter-node", and deploy "build".',
  ],
  [
    '@angular/core',
    'The upload is the source of an Angular app. Build it with server rendering, and deploy the folder of the project ' +
      'in "dist", which has the folders "browser" and "server".',
  ],
  [
    'react-router',
    'The upload is the source of a React Router app. Build it, run "npm prune --omit=dev", and deploy the project with ' +
      '"build" and "node_modules".',
  ],
  ['nitropack', 'The upload is the source of a Nitro app. Build it, and deploy ".output".'],
];

/** @returns what to do about an upload without a server, when the upload is the folder of a project. */
export function explainMissingServer({ texts }: Bundle): string | undefined {
  const text = texts.get(PACKAGE);
  const packages = packagesOf(text);
  const found = BUILDS.find(([name]) => packages.has(name));
  if (found) return found[1];
  const file = startFileOf(text);
  if (file !== undefined)
    return `The start script in "${PACKAGE}" runs "${file}", which the upload does not have. Build the project before you deploy it.`;
  const command = startCommandOf(text).slice(0, MAX_COMMAND_LENGTH).toWellFormed();
  if (command === '') return undefined;
  return `The start script in "${PACKAGE}" is "${command}", and Homeport starts servers with "node <file>" only. Build the project, and set the script to "node" and the file of the server.`;
}

function packagesOf(text: string | undefined): ReadonlySet<string> {
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(text ?? '') as Record<string, object | undefined>;
    return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  } catch {
    return new Set();
  }
}
