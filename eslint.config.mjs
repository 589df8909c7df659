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
const FILE = String.raw`\w[\w.-]*`;
const refuseAllBut = (allowed, message) => refuse(new RegExp(`^(?!(${allowed.join('|')})$)`), message);
const CONTRACT_DOORS = [String.raw`@homeport\/kernel(\/node)?`, String.raw`@homeport\/\w+\/contracts`];
/**
 * A domain that has subjects is divided by subject first and layer second: a layer sees the same layer of a subject, and
 * of the domain itself.
 */
const layers = (names) => String.raw`\.\.\/\.\.\/(\w[\w-]*\/)?(${names.join('|')})\/${FILE}`;
const DOMAIN = [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [
      String.raw`\.\/${FILE}`,
      layers(['domain']),
      'node:.*',
      'mime',
      'zod',
      ...CONTRACT_DOORS,
      String.raw`@homeport\/organizations\/server`,
    ],
    'The domain is plain TypeScript: it imports the domain, the kernel, contracts, organizations, node:, mime and zod.',
  ),
];
const APPLICATION = [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [
      String.raw`\.\/${FILE}`,
      String.raw`\.\.\/domain\/${FILE}`,
      layers(['domain', 'application']),
      'node:.*',
      'lru-cache',
      ...CONTRACT_DOORS,
      String.raw`@homeport\/organizations\/server`,
      String.raw`@homeport\/platform\/server\/(blobs|observability)`,
    ],
    'The application accesses external systems through its ports: it imports the application and the domain, the kernel, contracts, organizations, the platform doors blobs and observability, node: and lru-cache.',
  ),
];
/** Frameworks that the edge must not load: they take most of its start time and memory. */
const FRAMEWORKS = ['@nestjs/*', 'typeorm'];
const HOSTING = [
  ...PRODUCTION,
  refuse(
    /^@nestjs\/|^typeorm$|^reflect-metadata$|^@homeport\/(?!hosting\/|platform\/)\w+\/server(\/|$)|^@homeport\/platform\/server\/(database|http|jobs)$/,
    'The edge starts without Nest and TypeORM: use the doors node-http and postgres.',
  ),
];
const KERNEL = [...PRODUCTION, refuse(/^(?!\.)/, 'The kernel depends on nothing.')];
const CONTRACTS = [
  ...PRODUCTION,
  refuse(
    /^(?!\.|class-validator$|@homeport\/)/,
    'Contracts run in browsers and on the server: they import contracts and class-validator.',
  ),
];
const WEB = [...PRODUCTION, refuse(/^node:/, 'The client runs in browsers, which have no Node modules.')];

/** Published packages: they run outside this workspace, without its code. */
const API_CLIENT = [
  ...PRODUCTION,
  refuse(/^(?!\.)/, 'The API client runs in Node and browsers, and depends on nothing.'),
];
const CLI = [
  ...PRODUCTION,
  refuse(
    /^@homeport\/(?!api-client$|kernel(\/node)?$)/,
    'The command line uses the HTTP API: it imports the API client and the kernel.',
  ),
];

/** What e2e tests import besides contracts and tools. */
const SERVER_TESTING = '^@homeport/\\w+/server/testing(/.+)?$';
const CLIENT_LIBRARY_TESTING = '^@homeport/api-client/testing/';

/**
 * ESLint replaces a rule that is set twice for a file and does not merge it, so each list is complete and the last
 * match applies.
 */
const importRules = (files, list, ignores = [...SPECS, '**/testing/**', 'apps/*-e2e/**']) => ({
  files,
  ignores,
  rules: { 'no-restricted-syntax': ['error', ...list] },
});

const ASYNC_WAIT = {
  selector: "CallExpression[callee.property.name='waitForFunction'] > ArrowFunctionExpression[async=true]",
  message: 'waitForFunction takes the promise for a result and does not wait. Use expect.poll.',
};

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
      'tools/testing/openapi/*.ts',
      'tools/bootstrap/{run.mjs,start.ts,dev.ts,test.ts,reset.ts,service.ts,publish.ts,token.ts,token.int.spec.ts,openapi.ts}',
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
    files: ['libs/*/server/**/*.int.spec.ts'],
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
    files: ['apps/client-e2e/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', { ...boundaries, allow: [CLIENT_LIBRARY_TESTING] }] },
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
