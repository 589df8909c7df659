import nx from '@nx/eslint-plugin';
import angular from 'angular-eslint';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const DOMAINS = ['apps', 'files', 'pricing'];
const DRIVERS = ['typeorm', 'pg', '@aws-sdk/*', 'jwks-rsa', 'passport-jwt', 'openid-client', 'undici'];
const FRAMEWORKS = ['@nestjs/*', 'fastify', '@fastify/*'];
/** A rule set twice for one file is replaced and not merged, so the globs of the layer rules are disjoint. */
const forbid = (message, ...group) => ['error', { patterns: [{ group, message }] }];

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
      bannedExternalImports: ['@nestjs/*', 'typeorm', 'pg', '@aws-sdk/*', 'class-validator', 'fastify'],
    },
    { sourceTag: 'role:e2e', onlyDependOnLibsWithTags: ['side:contracts', 'role:tool'] },
    { sourceTag: 'role:tool', onlyDependOnLibsWithTags: ['role:tool'] },
  ],
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
    files: ['{apps/api,libs/*/server,libs/*/contracts}/**/*.ts', '{apps/client,libs/*/web}/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['libs/*/server/src/domain/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': forbid(
        'The domain is plain TypeScript: it imports itself and contracts.',
        ...FRAMEWORKS,
        ...DRIVERS,
        '**/application/**',
        '**/adapters/**',
      ),
    },
  },
  {
    files: ['libs/*/server/src/application/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': forbid(
        'The application talks to the outside through its ports.',
        ...FRAMEWORKS,
        ...DRIVERS,
        '**/adapters/**',
      ),
    },
  },
  {
    files: [
      '**/main.ts',
      '**/testing/embedded-services.ts',
      'tools/testing/*.mjs',
      'tools/bootstrap/{run.mjs,start.ts,dev.ts,test.ts,reset.ts,service.ts}',
      'apps/*-e2e/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
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
    files: ['{apps/client,libs/*/web}/**/*.ts'],
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
