import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const tsconfig = JSON.parse(readFileSync(resolve(root, 'tsconfig.base.json'), 'utf8'));

/**
 * How the server's TypeScript becomes JavaScript, for the build and for Jest alike, so that what is tested is what
 * ships. swc and not esbuild, because Nest reads the decorator metadata; the path aliases are those of tsconfig.
 */
export const swcOptions = {
  swcrc: false,
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
    baseUrl: root,
    paths: tsconfig.compilerOptions.paths,
  },
  module: { type: 'es6', resolveFully: true },
};
