import { type DetectionRule, filesBelow, firstOf, hasFolder, SERVER_ENVIRONMENT } from './bundle';

const ENTRY = 'index.js';

/** A build of SvelteKit with its Node adapter. */
export const detectSvelteKit: DetectionRule = (bundle) => {
  if (!bundle.paths.has(ENTRY) || !bundle.paths.has('handler.js') || !hasFolder(bundle, 'client/')) return undefined;
  return {
    plan: {
      framework: 'sveltekit',
      kind: 'script',
      entry: ENTRY,
      environment: {
        ...SERVER_ENVIRONMENT,
        ADDRESS_HEADER: 'x-forwarded-for',
        HOST_HEADER: 'x-forwarded-host',
        PROTOCOL_HEADER: 'x-forwarded-proto',
        XFF_DEPTH: '1',
      },
    },
    staticFiles: firstOf(filesBelow(bundle, 'client/'), filesBelow(bundle, 'prerendered/')),
    problems: [],
  };
};
