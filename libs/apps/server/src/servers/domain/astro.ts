import { type DetectionRule, filesBelow, firstOf, hasFolder, SERVER_ENVIRONMENT } from './bundle';

const ENTRY = 'server/entry.mjs';

/** A build of Astro with its Node adapter in the mode `standalone`, which starts when it is imported. */
export const detectAstro: DetectionRule = (bundle) => {
  if (!bundle.paths.has(ENTRY) || !hasFolder(bundle, 'client/')) return undefined;
  return {
    plan: { framework: 'astro', kind: 'script', entry: ENTRY, environment: SERVER_ENVIRONMENT },
    staticFiles: firstOf(filesBelow(bundle, 'client/')),
    problems: [],
  };
};
