import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { embeddedServices } from '@homeport/platform/server/testing';
import { closedPort, doctorLine } from './testing/doctor-lines';

const VARIABLE = 'OTEL_EXPORTER_OTLP_ENDPOINT';

describe('the doctor of traces', () => {
  let status = 200;
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    request.resume();
    response.writeHead(status).end();
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const line = (port: number, path = '', more = {}) =>
    doctorLine('traces', { ...embeddedServices(), [VARIABLE]: `http://a:b@127.0.0.1:${port}${path}`, ...more });
  const open = async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  it.each([200, 401])('accepts a receiver that answers %s', async (answer) => {
    status = answer;
    const port = await open();
    expect(await line(port, '/otel/')).toBe(`ok       traces  The receiver of traces at 127.0.0.1:${port} answers.`);
    expect(received.at(-1)).toBe('POST /otel/v1/traces');
  });

  it('asks the address for traces alone when there is one', async () => {
    status = 200;
    const port = await open();
    await line(await closedPort(), '', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/whole` });
    expect(received.at(-1)).toBe('POST /whole');
  });

  it.each(['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'])(
    'asks no receiver that OTEL_EXPORTER_OTLP_%s belongs to',
    async (name) => {
      const before = received.length;
      expect(await line(await open(), '', { [`OTEL_EXPORTER_OTLP_${name}`]: '/etc/file.pem' })).toBe('');
      expect(received).toHaveLength(before);
    },
  );

  it('warns of a receiver that is overloaded', async () => {
    status = 503;
    expect(await line(await open())).toMatch(/^warning {2}traces {2}The receiver .* rejects traces now \(503\)\./);
  });

  it('names an address without a receiver', async () => {
    status = 404;
    const port = await open();
    expect(await line(port)).toBe(
      `fault    traces  The receiver of traces at 127.0.0.1:${port} does not accept traces at /v1/traces (404). Correct ` +
        `${VARIABLE}: it is the address of OTLP over HTTP, usually with the port 4318.`,
    );
  });

  it('names the port of gRPC', async () => {
    server.once('connection', (socket) => socket.end('\0\0\u0006\u0004\0\0\0\0\0'));
    const port = await open();
    expect(await line(port)).toMatch(
      /^fault {4}traces {2}The receiver .* does not speak HTTP\/1\.1 \(\w+\)\. .*: 4317 is that of gRPC\.$/,
    );
  });

  it('names a receiver that is not there', async () => {
    await open();
    expect(await line(await closedPort())).toMatch(/^fault {4}traces {2}.* \(ECONNREFUSED\)\. Correct OTEL_EXPORTER/);
  });
});
