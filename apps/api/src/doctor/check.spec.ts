import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CodedFailure } from '@homeport/platform/server/observability';
import { type Check, type CheckReport, fault, ok, runChecks, type RunOptions } from './check';

const explain = (code: string) => ({ detail: `It failed: ${code}.`, remedy: 'Correct it.' });
const passing = (name: string, needs: readonly string[] = []): Check => ({
  name,
  needs,
  explain,
  run: () => Promise.resolve(ok('Fine.')),
});
const reportsOf = async (checks: readonly Check[], options?: RunOptions) => {
  const reports: CheckReport[] = [];
  for await (const report of runChecks(checks, options)) reports.push(report);
  return reports;
};

describe('runChecks', () => {
  it('explains a failure by its code', async () => {
    const failing = { ...passing('one'), run: () => Promise.reject(new CodedFailure('28P01', 'refused')) };
    expect(await reportsOf([failing])).toEqual([
      { name: 'one', status: 'fault', code: '28P01', detail: 'It failed: 28P01.', remedy: 'Correct it.' },
    ]);
  });

  it('skips what needs a failed or skipped check, and runs the others', async () => {
    const failing = { ...passing('one'), run: () => Promise.resolve(fault('No.', 'Do.')) };
    const reports = await reportsOf([failing, passing('two', ['one']), passing('three', ['two']), passing('four')]);
    expect(reports.map(({ name, status, detail }) => [name, status, detail])).toEqual([
      ['one', 'fault', 'No.'],
      ['two', 'skipped', 'It needs one.'],
      ['three', 'skipped', 'It needs two.'],
      ['four', 'ok', 'Fine.'],
    ]);
  });

  it('ends a check that never answers', async () => {
    const endless = { ...passing('one'), limitMs: 1, run: () => new Promise<never>(() => undefined) };
    expect(await reportsOf([endless], { cleanUpLimitMs: 1 })).toMatchObject([{ status: 'fault', code: 'timeout' }]);
  });

  it('waits until a check that was ended has removed its probes', async () => {
    let hasProbe = true;
    const slow = {
      ...passing('one'),
      limitMs: 1,
      run: async (signal: AbortSignal) => {
        await once(signal, 'abort');
        await new Promise((done) => setImmediate(done));
        hasProbe = false;
        return ok('Too late.');
      },
    };
    expect(await reportsOf([slow])).toMatchObject([{ status: 'fault', code: 'timeout' }]);
    expect(hasProbe).toBe(false);
  });

  it('lets checks remove their probes when it is stopped, and starts no others', async () => {
    const stop = new AbortController();
    let hasProbe = true;
    const running = {
      ...passing('one'),
      run: async (signal: AbortSignal) => {
        await new Promise((done) => setImmediate(done));
        stop.abort();
        await new Promise((done) => setImmediate(done));
        hasProbe = !signal.aborted;
        return ok('Too late.');
      },
    };
    expect(await reportsOf([running], { stop: stop.signal })).toMatchObject([{ status: 'fault' }]);
    expect(hasProbe).toBe(false);
    expect(await reportsOf([passing('one')], { stop: stop.signal })).toMatchObject([{ status: 'skipped' }]);
  });

  it('runs independent checks side by side', async () => {
    let release: (() => void) | undefined;
    const waiting = { ...passing('one'), run: () => new Promise<never>((done) => (release = done as () => void)) };
    const releasing = {
      ...passing('two'),
      run: () => {
        release?.();
        return Promise.resolve(ok('Fine.'));
      },
    };
    expect(
      await reportsOf([{ ...waiting, run: () => waiting.run().then(() => ok('Released.')) }, releasing]),
    ).toMatchObject([{ detail: 'Released.' }, { detail: 'Fine.' }]);
  });
});
