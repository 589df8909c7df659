import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { ApiProblem, ConnectionFailed } from '@homeport/api-client';
import { describe, expect, it } from '@jest/globals';
import { CliError, EXIT_CODES, type ExitName, UsageError } from '../cli.errors';
import { reportError } from './report-error';
import { Terminal } from './terminal';

const OPENAPI = join(import.meta.dirname, '../../../api/openapi.json');

/** Prints an error. @returns the exit code, and the lines on stderr. */
function reported(error: unknown, isJson = false): { code: number; lines: string[]; text: string } {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = reportError(new Terminal({ stdin, stdout, stderr }, isJson, true), error);
  const text = String(stderr.read() ?? '');
  return { code, text, lines: text.split('\n').filter(Boolean) };
}

const problem = (status: number, code: string, errors: { field: string; reason: string }[] = []) =>
  new ApiProblem(
    { type: 'about:blank', title: 'A title', status, detail: 'A detail.', code, request_id: 'r1', errors },
    new Headers(),
  );

/** The status and code of every error in the OpenAPI document. */
function documentedProblems(): [number, string][] {
  const text = JSON.stringify(JSON.parse(readFileSync(OPENAPI, 'utf8')));
  const found = text.matchAll(/"status":(\d+),"detail":"[^"]*(?:\\"[^"]*)*","code":"([a-z.-]+)"/g);
  return [...new Map([...found].map(([, status, code = '']) => [code, Number(status)]))].map(([code, status]) => [
    status,
    code,
  ]);
}

describe('an error', () => {
  it('has a next step for every code that the API documents', () => {
    const problems = documentedProblems();
    expect(problems.length).toBeGreaterThan(40);
    for (const [status, code] of problems) {
      const { lines } = reported(problem(status, code));
      expect(lines).toEqual(['Error: A detail.', expect.stringMatching(/\.$|"$/), `Request r1 (${code})`]);
    }
  });

  it('has a next step for every exit code but an interruption', () => {
    for (const exit of Object.keys(EXIT_CODES) as ExitName[]) {
      const { code, lines } = reported(new CliError('A message.', exit));
      expect([exit, code, lines.length]).toEqual([
        exit,
        EXIT_CODES[exit],
        { ok: 0, interrupted: 1 }[exit as 'ok'] ?? 2,
      ]);
    }
  });

  it.each([
    [3, problem(401, 'identity.token-expired')],
    [4, problem(403, 'identity.scope-required')],
    [4, problem(404, 'apps.not-found')],
    [5, problem(409, 'apps.subdomain-taken')],
    [5, problem(412, 'files.precondition-failed')],
    [6, problem(413, 'files.too-large')],
    [6, problem(422, 'apps.no-server')],
    [7, problem(408, 'platform.request-timeout')],
    [7, problem(409, 'platform.idempotency-in-progress')],
    [7, problem(429, 'platform.rate-limited')],
    [7, problem(502, 'files.storage-error')],
    [7, new ConnectionFailed('https://homeport.example/api', new Error('refused'))],
    [130, new DOMException('stopped', 'AbortError')],
    [1, new Error('unexpected')],
    [2, new UsageError('wrong')],
  ])('ends with %i for %s', (code, error) => expect(reported(error).code).toBe(code));

  it('names fields, and prints lines of a log as they are', () => {
    const errors = [
      { field: 'name', reason: 'It is empty.' },
      { field: 'log', reason: '\u001b[31mno database\u001b[0m' },
    ];
    expect(reported(problem(422, 'apps.start-failed', errors)).lines.slice(1, 3)).toEqual([
      '  name: It is empty.',
      '  no database',
    ]);
  });

  it('is one JSON document with --json', () => {
    const { text } = reported(problem(404, 'apps.not-found'), true);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'apps.not-found',
        message: 'A detail.',
        next_step: 'List the apps with "homeport apps list".',
        request_id: 'r1',
        errors: [],
      },
    });
  });
});
