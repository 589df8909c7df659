import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HealthMonitor } from '@homeport/platform/server/health';
import { rawPathOf } from '@homeport/kernel';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import { markServedBy } from './measured-response';

/**
 * Answers liveness and readiness checks from the last known state. The instance listens only after every gating
 * dependency was up once. It keeps serving cached sites during an outage, so it stays ready and reports which
 * dependencies are down.
 */
export class EdgeHealth {
  isDraining = false;

  constructor(private readonly monitor: Pick<HealthMonitor, 'states'>) {}

  /** @returns whether the path is a health check. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const path = rawPathOf(request.url ?? '');
    if (path === '/health/live') send(request, response, 200, { status: 'ok' });
    else if (path === '/health/ready') this.#answerReady(request, response);
    else return false;
    return true;
  }

  #answerReady(request: IncomingMessage, response: ServerResponse): void {
    if (this.isDraining) return send(request, response, 503, { status: 'draining' });
    const known = this.monitor.states.filter(({ status }) => status !== 'unknown');
    const status = known.some((state) => state.status === 'down') ? 'degraded' : 'ok';
    const checks = Object.fromEntries(known.map((state) => [state.name, state.status]));
    return send(request, response, 200, { status, checks });
  }
}

function send(request: IncomingMessage, response: ServerResponse, status: number, report: object): void {
  markServedBy(response, 'health');
  const body = Buffer.from(JSON.stringify(report));
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
  sendBuffered(request, response, { status, headers: [...headers, 'Cache-Control', 'no-store'], body });
}
