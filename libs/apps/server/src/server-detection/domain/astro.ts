import { type DetectionRule, filesBelow, firstOf, hasFolder, SERVER_ENVIRONMENT } from './bundle';

/** The output itself, or the project with its packages. */
const BASES = ['', 'dist/'];

/** A build of Astro with its Node adapter in the mode `standalone`, which starts when it is imported. */
export const detectAstro: DetectionRule = (bundle) => {
  const base = BASES.find(
    (folder) => bundle.paths.has(`${folder}server/entry.mjs`) && hasFolder(bundle, `${folder}client/`),
  );
  if (base === undefined) return undefined;
  return {
    plan: { framework: 'astro', kind: 'script', entry: `${base}server/entry.mjs`, environment: SERVER_ENVIRONMENT },
    staticFiles: firstOf(filesBelow(bundle, `${base}client/`)),
    problems: [],
  };
};
