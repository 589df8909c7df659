import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  type HealthIndicatorFunction,
  type HealthIndicatorResult,
  HealthIndicatorService,
} from '@nestjs/terminus';
import type { HealthOptions, HealthProbe } from './health-probe';
import { NotReady } from './health.errors';

const CHECK_LIMIT_MS = 2_000;

/** `degraded`: a dependency that does not gate is down; the instance still serves everything else. */
export interface ReadinessReport {
  readonly status: 'ok' | 'degraded';
  readonly checks: Readonly<Record<string, string>>;
}

/** Whether this instance should get requests. It names what is down and never says why: that is for the log. */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly options: HealthOptions,
  ) {}

  /** @throws {NotReady} */
  async report(): Promise<ReadinessReport> {
    if (this.options.isDraining()) throw new NotReady(['instance']);
    try {
      const { status, details } = await this.health.check(
        this.options.probes.map((probe) => this.#indicatorFor(probe)),
      );
      return { status: status === 'ok' ? 'ok' : 'degraded', checks: statusesOf(details) };
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const { details } = error.getResponse() as { details: HealthIndicatorResult };
      const down = Object.entries(statusesOf(details)).filter(([, status]) => status === 'down');
      const reasons = down.map(([name]) => `${name}: ${String(details[name]?.['message'])}`);
      throw new NotReady(
        down.map(([name]) => name),
        { cause: new Error(reasons.join('\n')) },
      );
    }
  }

  #indicatorFor(probe: HealthProbe): HealthIndicatorFunction {
    return async () => {
      const indicator = this.indicators.check(probe.name);
      const limit = this.options.checkLimitMs ?? CHECK_LIMIT_MS;
      const { [probe.name]: result } = await indicator.attempt(({ signal }) => probe.check(signal)).withTimeout(limit);
      if (result?.status === 'up') return indicator.up();
      const message = String(result?.['message']);
      return probe.gates ? indicator.down(message) : indicator.degraded(message);
    };
  }
}

function statusesOf(details: HealthIndicatorResult): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).map(([name, { status }]) => [name, status === 'degraded' ? 'down' : status]),
  );
}
