import { swcOptions } from './tools/build/swc-options.mjs';
import { ignoredTests } from './tools/testing/suite-only-tests.ts';

const ignored = ['/node_modules/', ...ignoredTests(process.env)];

const typescript = ['@swc/jest', { ...swcOptions, module: { type: 'es6' } }];
const shared = {
  // Without it Jest lists all files of node_modules for each project before it starts.
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': typescript },
  testEnvironment: 'node',
  testPathIgnorePatterns: ignored,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/tmp/', '<rootDir>/.data/'],
};

/**
 * Integration and e2e tests share one running product: Jest
 * runs a global set-up once, even if several projects name it.
 */
const onEmbeddedServices = {
  testEnvironment: '<rootDir>/tools/testing/fresh-connections.mjs',
  setupFiles: ['<rootDir>/tools/testing/load-jose.mjs', '@angular/localize/init'],
  globalSetup: '<rootDir>/tools/testing/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/testing/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/tools/testing/openapi/check-responses.ts'],
};

/** One project per tier: pure rules, adapters on the embedded services, and the product as a black box over HTTP. */
export default {
  // Ends hanging tests only: durations depend on the machine, so tests have no tighter limit.
  testTimeout: 300_000,
  // Three workers share the one product, also on two cores: test files often wait.
  maxWorkers: 3,
  testSequencer: '<rootDir>/tools/testing/slow-tiers-first.mjs',
  // Modules of earlier test files stay in a worker's memory.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      setupFilesAfterEnv: ['<rootDir>/tools/testing/unit-setup.mjs'],
      testMatch: ['<rootDir>/{apps,libs,tools}/**/*.spec.ts'],
      testPathIgnorePatterns: [...ignored, '\\.int\\.spec\\.ts$'],
    },
    {
      ...shared,
      ...onEmbeddedServices,
      displayName: 'integration',
      testMatch: ['<rootDir>/{apps,libs,tools}/**/*.int.spec.ts'],
    },
    {
      ...shared,
      ...onEmbeddedServices,
      displayName: 'api-e2e',
      testMatch: ['<rootDir>/apps/api-e2e/src/**/*.e2e.ts'],
    },
    {
      ...shared,
      ...onEmbeddedServices,
      displayName: 'cli-e2e',
      testMatch: ['<rootDir>/apps/cli-e2e/src/**/*.e2e.ts'],
    },
  ],
};
