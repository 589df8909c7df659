export { HealthMonitor } from './health-monitor';
export type { HealthProbe } from './health-probe';
