import { swcOptions } from './tools/build/swc-options.mjs';

const typescript = ['@swc/jest', { ...swcOptions, module: { type: 'es6' } }];
const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': typescript },
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/tools/testing/load-jose.mjs', '@angular/localize/init'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/tmp/', '<rootDir>/.data/'],
};

/** Both tiers share one running product: Jest runs a set-up once, however many projects name it. */
const onEmbeddedServices = {
  globalSetup: '<rootDir>/tools/testing/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/testing/global-teardown.mjs',
};

/** One project a tier: pure rules, adapters on the embedded services, and the product as a black box over HTTP. */
export default {
  // Ends what hangs; how long a test takes depends on the machine and proves nothing.
  testTimeout: 300_000,
  // Files run beside one another on the one product, also where there are two cores: they wait more than they work.
  maxWorkers: 2,
  // Modules of the tests before stay in a worker's memory.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,tools}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$'],
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
  ],
};
