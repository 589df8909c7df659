export { Metrics } from './metrics';
export type { FigureSource, Labels, MetricDescription, MetricsOptions, Sample } from './metrics';
export { addProgramMetrics, dependencyCalls } from './program-metrics';
export type { ProgramMetricsOptions } from './program-metrics';
