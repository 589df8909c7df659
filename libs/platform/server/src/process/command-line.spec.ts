import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { explainProgram, readCommandLine } from './command-line';

const USAGE = 'Usage: program [--json] [--by <name>]';
const options = { json: { type: 'boolean', default: false }, by: { type: 'string' } } as const;

describe('the command line of a program', () => {
  let printed: { readonly out: string[]; readonly error: string[] };
  beforeEach(() => {
    printed = { out: [], error: [] };
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.out.push(String(text)) > 0);
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => printed.error.push(String(text)) > 0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const read = (...args: string[]) => readCommandLine({ args, usage: USAGE, options });

  it('returns the options with their defaults', () => {
    expect([read(), read('--json', '--by', 'ada')]).toEqual([
      { values: { json: false } },
      { values: { json: true, by: 'ada' } },
    ]);
    expect(printed).toEqual({ out: [], error: [] });
  });

  it.each([[['--help']], [['-h']], [['--json', '--help']], [['--what', '--help']]])(
    'prints the usage for %j, and exits with 0',
    (args) => {
      expect(read(...args)).toEqual({ exitCode: 0 });
      expect(printed).toEqual({ out: [`${USAGE}\n`], error: [] });
    },
  );

  it.each([
    [['--what'], "Unknown option '--what'."],
    [['more'], "Unexpected argument 'more'."],
    [['--by'], "Option '--by <value>' argument missing."],
  ])('prints the reason and the usage for %j, and exits with 2', (args, reason) => {
    expect(read(...args)).toEqual({ exitCode: 2 });
    expect(printed).toEqual({ out: [], error: [`${reason}\n\n${USAGE}\n`] });
  });

  it('explains a program to which an unknown command is given', () => {
    expect([explainProgram(['--help'], USAGE), explainProgram(['start'], USAGE)]).toEqual([0, 2]);
    expect(printed).toEqual({ out: [`${USAGE}\n`], error: [`Unexpected argument 'start'.\n\n${USAGE}\n`] });
  });
});
