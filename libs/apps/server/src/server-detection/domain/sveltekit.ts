import { type DetectionRule, filesBelow, firstOf, hasFolder, SERVER_ENVIRONMENT } from './bundle';

/** The output itself, or the project with its packages. */
const BASES = ['', 'build/'];
const FILES = ['index.js', 'handler.js'];

/** A build of SvelteKit with its Node adapter. */
export const detectSvelteKit: DetectionRule = (bundle) => {
  const base = BASES.find(
    (folder) => FILES.every((file) => bundle.paths.has(folder + file)) && hasFolder(bundle, `${folder}client/`),
  );
  if (base === undefined) return undefined;
  return {
    plan: {
      framework: 'sveltekit',
      kind: 'script',
      entry: `${base}index.js`,
      environment: {
        ...SERVER_ENVIRONMENT,
        ADDRESS_HEADER: 'x-forwarded-for',
        HOST_HEADER: 'x-forwarded-host',
        PROTOCOL_HEADER: 'x-forwarded-proto',
        XFF_DEPTH: '1',
      },
    },
    staticFiles: firstOf(filesBelow(bundle, `${base}client/`), filesBelow(bundle, `${base}prerendered/`)),
    problems: [],
  };
};
