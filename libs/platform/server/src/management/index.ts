export { ManagementServer } from './management-server';
export type { ManagementResponse, ManagementRoute } from './management-server';
export { metricsRoute, openManagement } from './metrics-route';
export { metricsFor, tracingFor } from './observation';
