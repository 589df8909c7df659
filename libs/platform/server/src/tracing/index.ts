export { startTracing } from './tracing';
export type { Tracing, TracingOptions } from './tracing';
