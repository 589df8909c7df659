import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics';
import { type ManagementRoute, ManagementServer } from './management-server';

/** `GET /metrics`, in the text format of Prometheus. */
export function metricsRoute(metrics: Metrics): ManagementRoute {
  return async () => ({ status: 200, text: await metrics.text(), contentType: metrics.contentType });
}

export interface ManagementSettings {
  readonly MANAGEMENT_PORT?: number | undefined;
  readonly MANAGEMENT_HOST: string;
}

/** Opens the management port of a program that has metrics and no other routes. @returns undefined without a port. */
export async function openManagement(
  { MANAGEMENT_PORT: port, MANAGEMENT_HOST: host }: ManagementSettings,
  metrics: Metrics | undefined,
  log: Logger,
): Promise<ManagementServer | undefined> {
  if (port === undefined || !metrics) return undefined;
  const routes = new Map([['/metrics', metricsRoute(metrics)]]);
  const server = new ManagementServer(routes, (error) => log.error({ err: error }, 'a management request failed'));
  await server.listen(port, host);
  return server;
}
