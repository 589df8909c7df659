import { type DetectionRule, filesBelow, firstOf, hasFolder, SERVER_ENVIRONMENT } from './bundle';

const ENTRY = 'server/server.mjs';

/** An Angular application with server rendering. Its server listens only as the main module, so its handler is used. */
export const detectAngular: DetectionRule = (bundle) => {
  if (!bundle.paths.has(ENTRY) || !hasFolder(bundle, 'browser/')) return undefined;
  return {
    plan: {
      framework: 'angular',
      kind: 'handler',
      entry: ENTRY,
      exportName: 'reqHandler',
      // Safe, because the edge admits known hosts only.
      environment: { ...SERVER_ENVIRONMENT, NG_ALLOWED_HOSTS: '*' },
    },
    staticFiles: firstOf(filesBelow(bundle, 'browser/')),
    problems: [],
  };
};
