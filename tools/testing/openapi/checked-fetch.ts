import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isJson, ResponseContract } from './response-contract.ts';

interface NodeHttpExchange {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

/** Only the API sends it; other servers of the tests are storage, identity service, edge and test doubles. */
const SENT_BY_THE_API = 'x-request-id';

/**
 * Compares with the OpenAPI document every response of the API that this process receives by `fetch` or `node:http`.
 * @param report receives each difference; a promise while a body is compared.
 */
export function checkResponses(report: (differences: string[] | Promise<string[]>) => unknown): void {
  const contract = new ResponseContract();
  const { fetch } = globalThis;
  globalThis.fetch = async (...args) => {
    const response = await fetch(...args);
    if (response.headers.has(SENT_BY_THE_API)) report(differencesOf(contract, methodOf(...args), response));
    return response;
  };
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as NodeHttpExchange;
    const headers = new Headers(Object.entries(response.headersDistinct).map(([name, value]) => [name, String(value)]));
    if (!headers.has(SENT_BY_THE_API)) return;
    const url = `http://localhost${request.path}`;
    report(contract.violations({ method: request.method, url, status: response.statusCode ?? 0, headers }));
  });
}

function methodOf(input: string | URL | Request, init?: RequestInit): string {
  return init?.method ?? (input instanceof Request ? input.method : 'GET');
}

async function differencesOf(contract: ResponseContract, method: string, response: Response): Promise<string[]> {
  const type = response.headers.get('content-type')?.split(';')[0];
  const { status, headers, url } = response;
  return contract.violations({ method, url, status, headers, body: isJson(type) ? await textOf(response) : undefined });
}

/** Undefined when the response ends early, which is for the test to judge. */
async function textOf(response: Response): Promise<string | undefined> {
  try {
    return await response.clone().text();
  } catch {
    return undefined;
  }
}
