import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  type HealthIndicatorFunction,
  type HealthIndicatorResult,
  HealthIndicatorService,
} from '@nestjs/terminus';
import { NotReady } from './health.errors';
import type { HealthMonitor } from '../../health/health-monitor';
import type { HealthState } from '../../health/health-probe';

/** `degraded`: a non-gating dependency is down. The instance still serves requests that do not need it. */
export interface ReadinessReport {
  readonly status: 'ok' | 'degraded';
  readonly checks: Readonly<Record<string, string>>;
}

export interface HealthOptions {
  readonly monitor: HealthMonitor;
  /** Whether the instance is shutting down. */
  readonly isDraining: () => boolean;
}

/**
 * Reports whether this instance should receive requests, based on the last finished checks. The report names the
 * dependencies that are down; only the log contains the reasons.
 */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly options: HealthOptions,
  ) {}

  /** @throws {NotReady} */
  async report(): Promise<ReadinessReport> {
    if (this.options.isDraining()) throw new NotReady([{ field: 'instance', reason: 'down' }]);
    const { states } = this.options.monitor;
    // A non-gating dependency is omitted until its first check has finished.
    const known = states.filter(({ gates, status }) => gates || status !== 'unknown');
    try {
      const { status, details } = await this.health.check(known.map((state) => this.#indicatorFor(state)));
      return { status: status === 'ok' ? 'ok' : 'degraded', checks: statusesOf(details) };
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      throw notReadyFor(states);
    }
  }

  #indicatorFor({ name, gates, status }: HealthState): HealthIndicatorFunction {
    return () => {
      const indicator = this.indicators.check(name);
      if (status === 'up') return indicator.up();
      return gates ? indicator.down() : indicator.degraded();
    };
  }
}

function statusesOf(details: HealthIndicatorResult): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).map(([name, { status }]) => [name, status === 'degraded' ? 'down' : status]),
  );
}

function notReadyFor(states: readonly HealthState[]): NotReady {
  const down = states.filter(({ gates, status }) => status === 'down' || (gates && status === 'unknown'));
  const reasons = down.map(({ name, status, cause }) => `${name}: ${status === 'down' ? messageOf(cause) : status}`);
  return new NotReady(
    down.map(({ name, status }) => ({ field: name, reason: status })),
    { cause: new Error(reasons.join('\n')) },
  );
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
