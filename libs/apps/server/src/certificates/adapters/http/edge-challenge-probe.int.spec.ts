import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChallengeEdge } from '../../../testing/acme/challenge-edge';
import type { ChallengeAnswer } from '../../application/challenge-answers.port';
import { InMemoryChallengeAnswers } from '../memory/in-memory-challenge-answers';
import { EdgeChallengeProbe } from './edge-challenge-probe';

const NAME = 'www.acme.example';
const CDN = 'edge.example';
const { signal } = new AbortController();
const HTTP: ChallengeAnswer = { name: NAME, type: 'http-01', token: 'token', value: 'token.self-check' };
const TLS: ChallengeAnswer = { ...HTTP, type: 'tls-alpn-01', token: '' };

describe('EdgeChallengeProbe', () => {
  let answers: InMemoryChallengeAnswers;
  let edge: ChallengeEdge;
  let ports: { readonly httpPort: number; readonly tlsPort: number };
  const opened: Server[] = [];

  beforeEach(async () => {
    answers = new InMemoryChallengeAnswers();
    edge = new ChallengeEdge(answers);
    ports = await edge.listen();
  });
  afterEach(() => {
    edge.close();
    for (const server of opened.splice(0)) server.close().closeAllConnections();
  });

  /** @param addresses of the edges. */
  const probe = (addresses = ['127.0.0.1'], at = ports) => {
    const addressesOf = async (name: string) => ({ values: name === CDN ? addresses : [] }) as never;
    return new EdgeChallengeProbe({ resolver: { addressesOf }, cdnHostname: CDN, ...at });
  };

  /** @returns the ports of an edge that answers every request like this. */
  async function answering(status: number, body: string) {
    const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
    opened.push(server);
    await once(server, 'listening');
    return { ...ports, httpPort: (server.address() as AddressInfo).port };
  }

  it.each([HTTP, TLS])('finds the answer at an edge: $type', async (answer) => {
    await answers.put(answer, new Date(Date.now() + 60_000));
    expect(await probe().reaches(answer, signal)).toBe(true);
    expect(edge.asked).toContainEqual({ type: answer.type, name: NAME });
  });

  it.each([HTTP, TLS])('is not reached by an edge with another answer: $type', async (answer) => {
    await answers.put({ ...answer, value: 'token.of-another' }, new Date(Date.now() + 60_000));
    expect(await probe().reaches(answer, signal)).toBe(false);
  });

  it.each([HTTP, TLS])('is not reached by an edge without an answer, and without an address: $type', async (answer) => {
    expect(await probe().reaches(answer, signal)).toBe(false);
    expect(await probe([]).reaches(answer, signal)).toBe(false);
  });

  it.each([
    ['the answer and a line break', 200, 'token.self-check\n', true],
    ['an error', 404, 'token.self-check', false],
    ['a page', 200, '<html>token.self-check</html>', false],
    ['too many bytes', 200, 'token.self-check'.padEnd(5_000), false],
  ])('reads a response with %s', async (_, status, body, expected) => {
    expect(await probe(['127.0.0.1'], await answering(status, body)).reaches(HTTP, signal)).toBe(expected);
  });

  it.each([HTTP, TLS])('is not reached where nothing listens, or something else: $type', async (answer) => {
    const silent = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    expect(await probe(['127.0.0.1'], { httpPort: port, tlsPort: port }).reaches(answer, signal)).toBe(false);
    silent.close();
    await once(silent, 'close');
    expect(await probe(['127.0.0.1'], { httpPort: port, tlsPort: port }).reaches(answer, signal)).toBe(false);
  });

  it.each([HTTP, TLS])('ends when it is cancelled: $type', async (answer) => {
    const silent = createTcpServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const abort = new AbortController();
    const connected = once(silent, 'connection') as Promise<[{ destroy(): void }]>;
    const reached = probe(['127.0.0.1'], { httpPort: port, tlsPort: port }).reaches(answer, abort.signal);
    const [socket] = await connected;
    abort.abort();
    expect(await reached).toBe(false);
    socket.destroy();
    silent.close();
  });
});
