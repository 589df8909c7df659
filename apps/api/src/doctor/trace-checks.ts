import type { Config } from '../config';
import { type Check, type Explanation, fault, type Finding, ok } from './check';
import { networkExplanation, unknownFailure } from './network-failures';

const VARIABLE = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** The receiver of traces. The check sends a report without a trace, and no header of `OTEL_EXPORTER_OTLP_HEADERS`. */
export function traceChecks({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
}: Pick<Config, typeof VARIABLE>): readonly Check[] {
  if (endpoint === undefined) return [];
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const service = `The receiver of traces at ${new URL(endpoint).host}`;
  return [
    {
      name: 'traces',
      explain: (code) => explainReceiver(code, service),
      async run(signal): Promise<Finding> {
        const headers = { 'Content-Type': 'application/json' };
        const request = { method: 'POST', headers, body: '{"resourceSpans":[]}', signal } as const;
        const { status, body } = await fetch(url, { ...request, redirect: 'manual' });
        await body?.cancel();
        // It may require a header, which is a secret.
        if (status < 300 || status === 401 || status === 403) return ok(`${service} answers.`);
        return fault(
          `${service} does not accept traces at /v1/traces (${status}).`,
          `Correct ${VARIABLE}: it is the address of OTLP over HTTP, usually with the port 4318.`,
        );
      },
    },
  ];
}

function explainReceiver(code: string, service: string): Explanation {
  if (!/^HPE_|^HTTPParserError$/.test(code)) {
    return networkExplanation(code, service, VARIABLE) ?? unknownFailure(code, service, VARIABLE);
  }
  return {
    detail: `${service} does not speak HTTP/1.1 (${code}).`,
    remedy: `Set ${VARIABLE} to the address of OTLP over HTTP, usually with the port 4318: 4317 is that of gRPC.`,
  };
}
