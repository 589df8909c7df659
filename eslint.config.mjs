import nx from '@nx/eslint-plugin';
import angular from 'angular-eslint';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import manifest from './package.json' with { type: 'json' };

const DOMAINS = ['apps', 'files', 'pricing'];
const SPECS = ['**/*.{spec,e2e}.ts'];
const CLIENT = ['{apps/client,libs/*/web}/**/*.ts'];
/**
 * Packages of the server: all `dependencies`, with scopes as patterns. rxjs is excluded, because Angular uses it too.
 */
const SERVER_PACKAGES = Object.keys(manifest.dependencies)
  .filter((name) => name !== 'rxjs')
  .map((name) => name.replace(/^(@[^/]+)\/.+/, '$1/*'));

/**
 * Rejects imports of matching modules in every import syntax.
 * A pattern that begins with `^(?!` lists the allowed modules.
 */
const refuse = (modules, message) => ({
  selector: `:matches(ImportDeclaration, ImportExpression, TSImportType, ExportNamedDeclaration)[source.value=/${modules.source}/]`,
  message,
});

/** Rules for all code. */
const COMMON = [
  { selector: 'ExportAllDeclaration', message: 'List the exports: a public API names what it exports.' },
  refuse(/^(node:)?process$/, '`process` is a global; read the environment in a main.ts and pass the value on.'),
];
/** Rules for production code: everything in apps and libs except tests. */
const PRODUCTION = [
  ...COMMON,
  refuse(
    /(^|\/)testing(\/|$)|\.(contract|spec)$|^@jest\/|^fast-check$/,
    'Test code is imported by specs, by testing/ and by apps/*-e2e.',
  ),
];
const NO_DYNAMIC_IMPORT = {
  selector: 'ImportExpression',
  message: 'Import it statically: these rules cannot check a computed name.',
};
/** A module by its name, or a module in a neighbouring folder. */
const MODULE = String.raw`(\w[\w-]*\/)?\w[\w.-]*`;
const refuseAllBut = (allowed, message) => refuse(new RegExp(`^(?!(${allowed.join('|')})$)`), message);
const PUBLIC_APIS = [String.raw`@homeport\/\w+\/contracts`, String.raw`@homeport\/(identity|platform)\/server`];
/** @param own patterns of the layer's own modules. */
const domain = (own) => [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [...own, 'node:.*', 'mime', 'zod', ...PUBLIC_APIS],
    'The domain is plain TypeScript: it imports itself, contracts, the public APIs of identity and platform, node:, mime and zod.',
  ),
];
/** @param own patterns of the modules of the layer and of its domain. */
const application = (own) => [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [...own, 'node:.*', 'lru-cache', ...PUBLIC_APIS],
    'The application accesses external systems through its ports: it imports itself, its domain, contracts, the public APIs of identity and platform, node: and lru-cache.',
  ),
];
/** A layer may have one level of subject folders; from there, relative imports need one more step up. */
const IN_LAYER = [String.raw`\.\/${MODULE}`];
const IN_FOLDER = [String.raw`\.\/\w[\w.-]*`, String.raw`\.\.\/${MODULE}`];
const CONTRACTS = [
  ...PRODUCTION,
  refuse(
    /^(?!\.|class-validator$|@homeport\/)/,
    'Contracts run in browsers and on the server: they import contracts and class-validator.',
  ),
];
const WEB = [...PRODUCTION, refuse(/^node:/, 'The client runs in browsers, which have no Node modules.')];

/**
 * ESLint replaces a rule that is set twice for a file and does not merge it, so each list is complete and the last
 * match applies.
 */
const importRules = (files, list, ignores = [...SPECS, '**/testing/**', 'apps/*-e2e/**']) => ({
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

/** Integration specs also import the tools that start the development services. */
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
    files: ['{apps/api,apps/edge,libs/*/server,libs/*/contracts}/**/*.ts', ...CLIENT],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  importRules(['**/*.{ts,mjs}'], COMMON, []),
  importRules(['{apps,libs}/**/*.ts'], PRODUCTION),
  importRules(['libs/*/server/src/domain/**/*.ts'], domain(IN_LAYER)),
  importRules(['libs/*/server/src/domain/*/**/*.ts'], domain(IN_FOLDER)),
  importRules(
    ['libs/*/server/src/application/**/*.ts'],
    application([...IN_LAYER, String.raw`\.\.\/domain\/${MODULE}`]),
  ),
  importRules(
    ['libs/*/server/src/application/*/**/*.ts'],
    application([...IN_FOLDER, String.raw`\.\.\/\.\.\/domain\/${MODULE}`]),
  ),
  importRules(['libs/*/contracts/**/*.ts'], CONTRACTS),
  importRules(CLIENT, WEB),
  {
    files: [
      '**/main.ts',
      '**/testing/{embedded-services,suite-size}.ts',
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
    // These tests run the product on test doubles of unavailable services. They import single modules of a testing
    // folder: its index loads the libraries of the server, which takes seconds for each test file.
    files: ['apps/api-e2e/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { ...boundaries, allow: ['^@homeport/\\w+/server/testing(/.+)?$'] }],
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
