import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2: a request that was received; 3: a call. */
  readonly kind: number;
  /** `service.name` of the program. */
  readonly service: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service'>[] }[];
  }[];
}

/** Receives traces by OTLP over HTTP. */
export class TraceReceiver {
  /** Whether it answers nothing. */
  isSilent = false;
  readonly #exports: Export[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const body = (await json(request)) as Export;
    if (this.isSilent) return;
    this.#exports.push(body);
    response.setHeader('content-type', 'application/json').end('{}');
  });

  static async open(): Promise<TraceReceiver> {
    const receiver = new TraceReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  /** The environment of a program that sends its spans soon. */
  get settings(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '100' };
  }

  get spans(): readonly Span[] {
    return this.#exports.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ resource, scopeSpans }) => {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
      }),
    );
  }

  /** All that was received. */
  get text(): string {
    return JSON.stringify(this.#exports);
  }

  clear(): void {
    this.#exports.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
