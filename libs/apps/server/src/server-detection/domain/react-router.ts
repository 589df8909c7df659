import { type DetectionRule, filesBelow, firstOf, hasFolder, SERVER_ENVIRONMENT } from './bundle';
import { startScriptOf } from './node';

const SERVE = 'node_modules/@react-router/serve/';
const BASES = ['', 'build/'];

/** A build of React Router in framework mode. It has no server itself: `@react-router/serve` runs it. */
export const detectReactRouter: DetectionRule = (bundle) => {
  const base = BASES.find(
    (folder) => bundle.paths.has(`${folder}server/index.js`) && hasFolder(bundle, `${folder}client/`),
  );
  if (base === undefined) return undefined;
  const build = `${base}server/index.js`;
  const entry = [`${SERVE}bin.cjs`, `${SERVE}bin.js`].find((path) => bundle.paths.has(path));
  if (entry !== undefined) {
    return {
      plan: {
        framework: 'react-router',
        kind: 'script',
        entry,
        args: [`./${build}`],
        environment: SERVER_ENVIRONMENT,
      },
      staticFiles: firstOf(filesBelow(bundle, `${base}client/`)),
      problems: [],
    };
  }
  // A server that the app brings itself runs the build.
  if (startScriptOf(bundle) !== undefined) return undefined;
  return {
    path: build,
    unsupported:
      'This build of React Router needs a server. Upload it with "package.json" and a "node_modules" that has ' +
      '"@react-router/serve": run "npm install --omit=dev" before.',
  };
};
