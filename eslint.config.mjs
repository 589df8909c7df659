import nx from '@nx/eslint-plugin';
import angular from 'angular-eslint';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import manifest from './package.json' with { type: 'json' };
import {
  COMMON,
  PRODUCTION,
  DOMAIN,
  APPLICATION,
  FRAMEWORKS,
  HOSTING,
  KERNEL,
  CONTRACTS,
  WEB,
  API_CLIENT,
  CLI,
  ASYNC_WAIT,
} from './tools/lint/import-rules.mjs';

const DOMAINS = ['apps', 'files', 'pricing'];
const SPECS = ['**/*.{spec,e2e}.ts'];
const CLIENT = ['{apps/client,libs/*/web}/**/*.ts'];
/**
 * Packages of the server: all `dependencies`, with scopes as patterns. rxjs is excluded, because Angular uses it too.
 */
const SERVER_PACKAGES = Object.keys(manifest.dependencies)
  .filter((name) => name !== 'rxjs')
  .map((name) => name.replace(/^(@[^/]+)\/.+/, '$1/*'));

/** What e2e tests import besides contracts and tools. */
const SERVER_TESTING = '^@homeport/\\w+/server/testing(/.+)?$';
const CLIENT_LIBRARY_TESTING = '^@homeport/api-client/testing/';
const COMMAND_LINE = '^@homeport/cli/run$';

/**
 * ESLint replaces a rule that is set twice for a file and does not merge it, so each list is complete and the last
 * match applies.
 */
const importRules = (files, list, ignores = [...SPECS, '**/testing/**', 'apps/*-e2e/**']) => ({
  files,
  ignores,
  rules: { 'no-restricted-syntax': ['error', ...list] },
});

/** `published` marks contracts that a domain publishes for other domains. */
const boundaries = {
  allow: [],
  enforceBuildableLibDependency: false,
  depConstraints: [
    ...DOMAINS.map((domain) => ({
      sourceTag: `domain:${domain}`,
      onlyDependOnLibsWithTags: [
        `domain:${domain}`,
        'published',
        'domain:organizations',
        'domain:identity',
        'domain:platform',
        'domain:kernel',
      ],
    })),
    {
      // Usage is rated with the rules that pricing publishes.
      sourceTag: 'domain:usage',
      onlyDependOnLibsWithTags: [
        'domain:usage',
        'rates',
        'domain:organizations',
        'domain:identity',
        'domain:platform',
        'domain:kernel',
      ],
    },
    {
      sourceTag: 'domain:organizations',
      onlyDependOnLibsWithTags: ['domain:organizations', 'domain:identity', 'domain:platform', 'domain:kernel'],
    },
    {
      sourceTag: 'domain:hosting',
      onlyDependOnLibsWithTags: ['domain:hosting', 'domain:platform', 'domain:kernel'],
      bannedExternalImports: FRAMEWORKS,
    },
    { sourceTag: 'domain:identity', onlyDependOnLibsWithTags: ['domain:identity', 'domain:platform', 'domain:kernel'] },
    { sourceTag: 'domain:platform', onlyDependOnLibsWithTags: ['domain:platform', 'domain:kernel'] },
    { sourceTag: 'domain:kernel', onlyDependOnLibsWithTags: ['domain:kernel'] },
    { sourceTag: 'domain:api-client', onlyDependOnLibsWithTags: ['domain:api-client'] },
    { sourceTag: 'domain:cli', onlyDependOnLibsWithTags: ['domain:cli', 'domain:api-client', 'domain:kernel'] },
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

/** The boundaries, with more tags that each project, or each project with a tag, may depend on. */
const boundariesWith = (forAll, forTag = {}) => ({
  ...boundaries,
  depConstraints: boundaries.depConstraints.map(({ onlyDependOnLibsWithTags: tags, ...rest }) => ({
    ...rest,
    ...(tags && { onlyDependOnLibsWithTags: [...tags, ...forAll, ...(forTag[rest.sourceTag] ?? [])] }),
  })),
});

export default tseslint.config(
  {
    ignores: [
      ...['**/dist', '**/node_modules', 'tmp', '.data', '.nx', '.angular', '**/*.d.mts'],
      'libs/api-client/src/generated',
    ],
  },
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
      // A constructor that only narrows the parameter types of its parent is useful.
      '@typescript-eslint/no-useless-constructor': 'off',
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in a main.ts and pass the value on.' },
      ],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      eqeqeq: 'error',
    },
  },
  {
    // Nest reads constructor types at run time, so an import that looks like a type may be a value.
    files: ['{apps/api,apps/edge,apps/runtime,libs/*/server,libs/*/contracts}/**/*.ts', ...CLIENT],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  importRules(['**/*.{ts,mjs}'], COMMON, []),
  importRules(['{apps,libs}/**/*.ts'], PRODUCTION),
  importRules(['libs/hosting/**/*.ts', 'apps/{edge,runtime}/**/*.ts'], HOSTING),
  importRules(['libs/*/server/src/{domain,*/domain}/**/*.ts'], DOMAIN),
  importRules(['libs/*/server/src/{application,*/application}/**/*.ts'], APPLICATION),
  importRules(['libs/kernel/**/*.ts'], KERNEL),
  importRules(['libs/*/contracts/**/*.ts'], CONTRACTS),
  importRules(['libs/api-client/**/*.ts'], API_CLIENT),
  importRules(['apps/cli/**/*.ts'], CLI),
  importRules(CLIENT, WEB),
  importRules(['apps/client-e2e/**/*.ts'], [...COMMON, ASYNC_WAIT], []),
  {
    files: [
      '**/main.ts',
      '**/testing/{embedded-services,suite-size}.ts',
      'tools/{testing,bench,faults}/**/*.mjs',
      'jest.config.mjs',
      'tools/testing/openapi/*.ts',
      'tools/bootstrap/{run.mjs,start.ts,dev.ts,test.ts,reset.ts,service.ts,publish.ts,token.ts,token.int.spec.ts,dns-record.ts,openapi.ts,doctor.ts,trust.ts}',
      'apps/*-e2e/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Programs that run inside sandboxes.
    files: ['libs/hosting/server/src/runtime/guest/*.mjs'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    // Integration specs also import the tools that start the development services.
    files: ['libs/*/server/**/*.int.spec.ts', 'apps/api/src/**/*.int.spec.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', boundariesWith(['role:tool'])] },
  },
  {
    // The edge reads the tables that apps writes: its tests fill them with the writer's code.
    files: ['libs/hosting/server/src/{testing/**/*,**/*.int.spec}.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundariesWith(['role:tool'], { 'domain:hosting': ['domain:apps'] })],
    },
  },
  {
    // These tests run the product on test doubles of unavailable services. They import single modules of a testing
    // folder: its index loads the libraries of the server, which takes seconds for each test file.
    files: ['apps/{api,cli}-e2e/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { ...boundaries, allow: [SERVER_TESTING, CLIENT_LIBRARY_TESTING] }],
    },
  },
  {
    // Many short commands run in the process of the test: each program takes half a second to start.
    files: ['apps/cli-e2e/src/command-in-process.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { ...boundaries, allow: [COMMAND_LINE] }],
    },
  },
  {
    files: ['apps/client-e2e/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', { ...boundaries, allow: [CLIENT_LIBRARY_TESTING] }] },
  },
  { files: ['tools/**', 'apps/*-e2e/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.{spec,contract,e2e}.ts', 'tools/infra/testing/*-cases.ts'],
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
