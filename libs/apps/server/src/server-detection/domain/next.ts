import { type DetectionRule, filesBelow, firstOf, hasFolder, SERVER_ENVIRONMENT } from './bundle';

const BUILD_ID = '.next/BUILD_ID';

/** A standalone build of Next.js. In a monorepo its server is in the folder of the app. */
export const detectNext: DetectionRule = (bundle) => {
  const buildId = [...bundle.paths]
    .filter((path) => (path === BUILD_ID || path.endsWith(`/${BUILD_ID}`)) && !path.includes('node_modules/'))
    .toSorted((one, other) => one.length - other.length)
    .at(0);
  if (buildId === undefined) return undefined;
  const base = buildId.slice(0, -BUILD_ID.length);
  const entry = `${base}server.js`;
  const standalone = `${base}.next/standalone`;
  if (hasFolder(bundle, `${standalone}/`)) {
    return {
      path: standalone,
      unsupported:
        'The upload is the whole project. Copy ".next/static" to ".next/standalone/.next/static", and "public" to ' +
        '".next/standalone/public", and upload the contents of ".next/standalone".',
    };
  }
  if (!bundle.paths.has(entry)) {
    return {
      path: buildId,
      unsupported:
        'This build of Next.js has no server. Set output: "standalone" in the configuration of Next.js, build again, ' +
        'and upload the contents of ".next/standalone".',
    };
  }
  const staticFolder = `${base}.next/static`;
  if (!hasFolder(bundle, `${staticFolder}/`)) {
    const target = `.next/standalone/${staticFolder}`;
    const publicTarget = `.next/standalone/${base}public`;
    return {
      path: buildId,
      unsupported: `The upload has no "${staticFolder}". Copy ".next/static" to "${target}", and "public" to "${publicTarget}", before you upload the contents of ".next/standalone".`,
    };
  }
  const cacheFolder = `${base}.next/cache`;
  return {
    plan: {
      framework: 'next',
      kind: 'script',
      entry,
      // Optimized images; without it each is made again, with an error in the log.
      ...(!bundle.paths.has(cacheFolder) && { cacheFolder }),
      environment: SERVER_ENVIRONMENT,
    },
    staticFiles: firstOf(filesBelow(bundle, `${staticFolder}/`, '_next/static/'), filesBelow(bundle, `${base}public/`)),
    problems: [],
  };
};
