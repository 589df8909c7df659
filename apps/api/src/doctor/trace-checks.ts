import type { Environment } from '@homeport/platform/server/config';
import type { Config } from '../config';
import { type Check, type Explanation, fault, type Finding, ok, warning } from './check';
import { networkExplanation, unknownFailure } from './network-failures';

const VARIABLE = 'OTEL_EXPORTER_OTLP_ENDPOINT';
/** The libraries prefer this variable, and append nothing to it. */
const WHOLE_ADDRESS = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
/** With one of them, only the libraries can connect to the receiver. */
const CERTIFICATES = ['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].map((each) => `OTEL_EXPORTER_OTLP_${each}`);

/** The receiver of traces. The check sends a report without a trace, and no header of `OTEL_EXPORTER_OTLP_HEADERS`. */
export function traceChecks(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<Config, typeof VARIABLE>,
  env: Environment,
): readonly Check[] {
  if (endpoint === undefined || CERTIFICATES.some((name) => env[name])) return [];
  const whole = env[WHOLE_ADDRESS] ?? '';
  const url = new URL(URL.canParse(whole) ? whole : `${endpoint.replace(/\/$/, '')}/v1/traces`);
  // `fetch` rejects them, and 401 is right without them.
  [url.username, url.password] = ['', ''];
  const service = `The receiver of traces at ${url.host}`;
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
        if (status === 429 || status >= 500)
          return warning(`${service} rejects traces now (${status}).`, 'Read its log.');
        return fault(
          `${service} does not accept traces at ${url.pathname} (${status}).`,
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
