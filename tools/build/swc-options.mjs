import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const tsconfig = JSON.parse(readFileSync(resolve(root, 'tsconfig.base.json'), 'utf8'));

/**
 * swc options that compile the server's TypeScript, shared by build and Jest, so that the tests run the shipped code.
 * swc instead of esbuild, because Nest needs decorator metadata; path aliases come from tsconfig.
 */
export const swcOptions = {
  swcrc: false,
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
    baseUrl: root,
    paths: tsconfig.compilerOptions.paths,
  },
  module: { type: 'es6', resolveFully: true },
};
