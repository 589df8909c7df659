import { describe, expect, it } from '@jest/globals';
import { fastify, LogController } from 'fastify';
import { logRequests } from '../request-log';
import { DomainError, type ErrorKind } from '@homeport/kernel';
import { sendProblem } from './problem.filter';

class Failure extends DomainError {
  readonly code = 'platform.failure';
  constructor(
    readonly kind: ErrorKind,
    cause: Error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  ) {
    super('It failed.', { cause });
  }
}

/** @returns the log lines of a request whose handler throws. */
async function linesOf(thrown: Error): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
  const server = fastify({ logger: { stream }, logController: new LogController({ disableRequestLogging: true }) });
  logRequests(server);
  server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  server.get('/', async () => {
    throw thrown;
  });
  await server.inject('/');
  await server.close();
  return lines;
}

describe('sendProblem', () => {
  it.each(['unavailable', 'timeout', 'upstream-error'] as const)(
    'writes one log line when a dependency fails: %s',
    async (kind) => {
      expect(await linesOf(new Failure(kind))).toEqual([
        expect.objectContaining({ msg: 'request', code: 'platform.failure', cause: 'ECONNREFUSED' }),
      ]);
    },
  );

  it('logs programming errors inside domain errors, but not a failed fetch', async () => {
    const messagesOf = async (cause: Error) => (await linesOf(new Failure('unavailable', cause))).map(({ msg }) => msg);
    expect(await messagesOf(new TypeError('a defect'))).toEqual(['request failed', 'request']);
    expect(await messagesOf(new TypeError('fetch failed', { cause: new Error('refused') }))).toEqual(['request']);
  });

  it('logs an unexpected error', async () => {
    const lines = await linesOf(new TypeError('a defect'));
    expect(lines.map(({ msg }) => msg)).toEqual(['request failed', 'request']);
    expect(lines[0]).toMatchObject({ level: 50, err: { message: 'a defect' } });
  });
});
