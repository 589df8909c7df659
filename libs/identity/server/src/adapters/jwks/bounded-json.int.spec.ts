import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetchBoundedJson } from './bounded-json';

const LIMITS = { timeoutMs: 10_000, maxBytes: 1_000 };
/** Endless responses must be ended by the limit alone. */
const SHORT = { ...LIMITS, timeoutMs: 40 };

let server: Server;
let url: string;
let answer: RequestListener = (_request, response) => response.end();

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function withBody(body: string, status = 200): RequestListener {
  return (_request, response) => response.writeHead(status).end(body);
}

describe('fetchBoundedJson', () => {
  it('reads a JSON document', async () => {
    let accept: string | undefined;
    answer = (request, response) => {
      accept = request.headers.accept;
      response.end('{"keys":["ü"]}');
    };
    expect(await fetchBoundedJson(url, LIMITS)).toEqual({ keys: ['ü'] });
    expect(accept).toBe('application/json');
  });

  it('accepts a document at the size limit and rejects a larger one', async () => {
    answer = withBody(JSON.stringify('x'.repeat(998)));
    expect(await fetchBoundedJson(url, LIMITS)).toHaveLength(998);
    answer = withBody(JSON.stringify('x'.repeat(999)));
    await expect(fetchBoundedJson(url, LIMITS)).rejects.toThrow('more than 1000 bytes');
  });

  it('counts an endless body while it arrives and cancels it', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        const more = () => void (response.destroyed || response.write('x'.repeat(500), more));
        response.on('close', resolve);
        more();
      };
    });
    await expect(fetchBoundedJson(url, LIMITS)).rejects.toThrow('more than 1000 bytes');
    await closed;
  });

  it.each([201, 204, 301, 302, 307, 400, 404, 429, 500, 503])('refuses an answer with status %d', async (status) => {
    answer = withBody(status === 204 ? '' : '{"keys":[]}', status);
    await expect(fetchBoundedJson(url, LIMITS)).rejects.toThrow();
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    answer = (request, response) => {
      asked.push(request.url);
      if (request.url === '/keys') response.writeHead(302, { location: '/other' }).end();
      else response.end('{"keys":[]}');
    };
    await expect(fetchBoundedJson(url, LIMITS)).rejects.toThrow();
    expect(asked).toEqual(['/keys']);
  });

  it.each(['', '<html></html>', '{"keys":', '{}{}'])('refuses the body %j', async (body) => {
    answer = withBody(body);
    await expect(fetchBoundedJson(url, LIMITS)).rejects.toThrow(SyntaxError);
  });

  it('times out when the server accepts the connection and sends nothing', async () => {
    answer = () => undefined;
    await expect(fetchBoundedJson(url, SHORT)).rejects.toThrow(/timeout/i);
  });

  it('times out when the body stalls or trickles endlessly', async () => {
    answer = (_request, response) => void response.write('{"keys":');
    await expect(fetchBoundedJson(url, SHORT)).rejects.toThrow(/timeout/i);
    answer = (_request, response) => {
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    };
    await expect(fetchBoundedJson(url, SHORT)).rejects.toThrow(/timeout/i);
  });

  it('fails when the connection is reset', async () => {
    answer = (_request, response) => response.destroy();
    await expect(fetchBoundedJson(url, LIMITS)).rejects.toThrow();
    answer = (_request, response) => response.write('{', () => response.destroy());
    await expect(fetchBoundedJson(url, LIMITS)).rejects.toThrow();
  });

  it('names the host but not the full URL in errors', async () => {
    answer = withBody('', 500);
    await expect(fetchBoundedJson(`${url}?secret=1`, LIMITS)).rejects.toThrow(/^127\.0\.0\.1:\d+ answered 500$/);
  });
});
