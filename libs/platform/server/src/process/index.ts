export { explainProgram, readCommandLine, rejectCommandLine } from './command-line';
export { configOrExit } from './config-or-exit';
export { createLogger } from './create-logger';
export { describeFailure } from './describe-failure';
export { effectiveConfigurationOf } from './effective-configuration';
export type { ConfigurationOptions, EffectiveConfiguration } from './effective-configuration';
export { startFailureOf } from './start-failure';
export { stopOnSignal } from './stop-on-signal';
