import nx from '@nx/eslint-plugin';
import angular from 'angular-eslint';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import manifest from './package.json' with { type: 'json' };

const DOMAINS = ['apps', 'files', 'pricing'];
const SPECS = ['**/*.{spec,e2e}.ts'];
const CLIENT = ['{apps/client,libs/*/web}/**/*.ts'];
/** `dependencies` is what the server runs on, of a scope all; rxjs is Angular's as well. */
const SERVER_PACKAGES = Object.keys(manifest.dependencies)
  .filter((name) => name !== 'rxjs')
  .map((name) => name.replace(/^(@[^/]+)\/.+/, '$1/*'));

/** Refuses modules whose names fit, in whichever way they are imported. A name that begins with `^(?!` lists what may. */
const refuse = (modules, message) => ({
  selector: `:matches(ImportDeclaration, ImportExpression, TSImportType, ExportNamedDeclaration)[source.value=/${modules.source}/]`,
  message,
});

/** These hold everywhere. */
const COMMON = [
  { selector: 'ExportAllDeclaration', message: 'A door names what it lets through: list the exports.' },
  refuse(/^(node:)?process$/, '`process` is a global; a main.ts reads the environment from it and passes a value on.'),
];
/** What ships and runs: everything in apps and libs but tests. */
const PRODUCTION = [
  ...COMMON,
  refuse(
    /(^|\/)testing(\/|$)|\.(contract|spec)$|^@jest\/|^fast-check$/,
    'Test code is imported by specs, by testing/ and by apps/*-e2e.',
  ),
];
const NO_DYNAMIC_IMPORT = {
  selector: 'ImportExpression',
  message: 'Import it statically: a computed name would pass the walls unseen.',
};
/** A module by its name, or by the folder beside it that it lies in. */
const MODULE = String.raw`(\w[\w-]*\/)?\w[\w.-]*`;
const refuseAllBut = (allowed, message) => refuse(new RegExp(`^(?!(${allowed.join('|')})$)`), message);
const DOORS = [String.raw`@homeport\/\w+\/contracts`, String.raw`@homeport\/(identity|platform)\/server`];
/** @param own the layer itself, as its modules name it. */
const domain = (own) => [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [...own, 'node:.*', 'mime', 'zod', ...DOORS],
    'The domain is plain TypeScript: it imports itself, contracts, the doors of identity and platform, node:, mime and zod.',
  ),
];
/** @param own the layer itself and its domain, as its modules name them. */
const application = (own) => [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [...own, 'node:.*', 'lru-cache', ...DOORS],
    'The application talks to the outside through its ports: it imports itself, its domain, contracts, the doors of identity and platform, node: and lru-cache.',
  ),
];
/** A layer may have folders by subject, one deep: from in there it is one step further to everything. */
const IN_LAYER = [String.raw`\.\/${MODULE}`];
const IN_FOLDER = [String.raw`\.\/\w[\w.-]*`, String.raw`\.\.\/${MODULE}`];
const CONTRACTS = [
  ...PRODUCTION,
  refuse(
    /^(?!\.|class-validator$|@homeport\/)/,
    'Contracts run in browsers and on the server: they import contracts and class-validator.',
  ),
];
const WEB = [...PRODUCTION, refuse(/^node:/, 'The client runs in browsers, and Node is not there.')];

/** A rule set twice for one file is replaced and not merged, so each list is whole and the last that fits holds. */
const walls = (files, list, ignores = [...SPECS, '**/testing/**', 'apps/*-e2e/**']) => ({
  files,
  ignores,
  rules: { 'no-restricted-syntax': ['error', ...list] },
});

const boundaries = {
  allow: [],
  enforceBuildableLibDependency: false,
  depConstraints: [
    ...DOMAINS.map((domain) => ({
      sourceTag: `domain:${domain}`,
      onlyDependOnLibsWithTags: [`domain:${domain}`, 'domain:identity', 'domain:platform'],
    })),
    { sourceTag: 'domain:identity', onlyDependOnLibsWithTags: ['domain:identity', 'domain:platform'] },
    { sourceTag: 'domain:platform', onlyDependOnLibsWithTags: ['domain:platform'] },
    {
      sourceTag: 'side:contracts',
      onlyDependOnLibsWithTags: ['side:contracts'],
      allowedExternalImports: ['class-validator', '@jest/globals', 'fast-check'],
    },
    {
      sourceTag: 'side:server',
      onlyDependOnLibsWithTags: ['side:server', 'side:contracts'],
      bannedExternalImports: ['@angular/*', 'ngx-*'],
    },
    {
      sourceTag: 'side:web',
      onlyDependOnLibsWithTags: ['side:web', 'side:contracts'],
      bannedExternalImports: SERVER_PACKAGES,
    },
    { sourceTag: 'role:e2e', onlyDependOnLibsWithTags: ['side:contracts', 'role:tool'] },
    { sourceTag: 'role:tool', onlyDependOnLibsWithTags: ['role:tool'] },
  ],
};

/** Integration specs start what the product runs on beside. */
const integrationBoundaries = {
  ...boundaries,
  depConstraints: boundaries.depConstraints.map(({ onlyDependOnLibsWithTags: tags, ...rest }) => ({
    ...rest,
    onlyDependOnLibsWithTags: [...tags, 'role:tool'],
  })),
};

export default tseslint.config(
  { ignores: ['**/dist', '**/node_modules', 'tmp', '.data', '.nx', '.angular', '**/*.d.mts'] },
  {
    files: ['**/*.{ts,mjs}'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic, prettier],
    plugins: { '@nx': nx },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundaries],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // A constructor that only narrows what the parent takes is not useless.
      '@typescript-eslint/no-useless-constructor': 'off',
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in a main.ts and pass a value on.' },
      ],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      eqeqeq: 'error',
    },
  },
  {
    // Nest reads constructor types at run time, so an import that looks like a type may be a value.
    files: ['{apps/api,apps/edge,libs/*/server,libs/*/contracts}/**/*.ts', ...CLIENT],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  walls(['**/*.{ts,mjs}'], COMMON, []),
  walls(['{apps,libs}/**/*.ts'], PRODUCTION),
  walls(['libs/*/server/src/domain/**/*.ts'], domain(IN_LAYER)),
  walls(['libs/*/server/src/domain/*/**/*.ts'], domain(IN_FOLDER)),
  walls(['libs/*/server/src/application/**/*.ts'], application([...IN_LAYER, String.raw`\.\.\/domain\/${MODULE}`])),
  walls(
    ['libs/*/server/src/application/*/**/*.ts'],
    application([...IN_FOLDER, String.raw`\.\.\/\.\.\/domain\/${MODULE}`]),
  ),
  walls(['libs/*/contracts/**/*.ts'], CONTRACTS),
  walls(CLIENT, WEB),
  {
    files: [
      '**/main.ts',
      '**/testing/embedded-services.ts',
      'tools/{testing,bench,faults}/**/*.mjs',
      'tools/bootstrap/{run.mjs,start.ts,dev.ts,test.ts,reset.ts,service.ts,publish.ts,token.ts,token.int.spec.ts,openapi.ts}',
      'apps/*-e2e/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['libs/*/server/**/*.int.spec.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', integrationBoundaries] },
  },
  {
    // The product is run on doubles of what cannot be had.
    files: ['apps/api-e2e/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { ...boundaries, allow: ['^@homeport/\\w+/server/testing$'] }],
    },
  },
  { files: ['tools/**', 'apps/*-e2e/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.{spec,contract,e2e}.ts'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: CLIENT,
    ignores: ['**/*.spec.ts'],
    extends: [angular.configs.tsRecommended],
    processor: angular.processInlineTemplates,
    rules: {
      '@angular-eslint/component-selector': ['error', { type: 'element', prefix: 'hp', style: 'kebab-case' }],
      '@angular-eslint/directive-selector': ['error', { type: 'attribute', prefix: 'hp', style: 'camelCase' }],
    },
  },
  {
    files: ['{apps/client,libs/*/web}/**/*.html'],
    extends: [angular.configs.templateRecommended, angular.configs.templateAccessibility],
  },
);
