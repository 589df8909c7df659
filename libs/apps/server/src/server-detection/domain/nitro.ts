import { type DetectionRule, filesBelow, firstOf, SERVER_ENVIRONMENT } from './bundle';

const ENTRY = 'server/index.mjs';
const DESCRIPTION = 'nitro.json';

/** A build of Nitro, such as that of Nuxt. */
export const detectNitro: DetectionRule = (bundle) => {
  if (!bundle.paths.has(ENTRY) || !bundle.paths.has(DESCRIPTION)) return undefined;
  const preset = presetOf(bundle.texts.get(DESCRIPTION));
  if (preset !== undefined && !/^node/.test(preset)) {
    return {
      path: DESCRIPTION,
      unsupported: `"${DESCRIPTION}" says that the build is for "${preset}". Build again with NITRO_PRESET=node-server, and deploy ".output".`,
    };
  }
  return {
    plan: { framework: 'nitro', kind: 'script', entry: ENTRY, environment: SERVER_ENVIRONMENT },
    staticFiles: firstOf(filesBelow(bundle, 'public/')),
    problems: [],
  };
};

function presetOf(text: string | undefined): string | undefined {
  try {
    const { preset } = JSON.parse(text ?? '') as { readonly preset?: unknown };
    return typeof preset === 'string' ? preset : undefined;
  } catch {
    return undefined;
  }
}
