import { describe, expect, it } from '@jest/globals';
import { FakeSandbox } from '../../testing/runtime/fake-sandbox';
import { SandboxBreached, SandboxUnavailable } from '../application/sandbox.errors';
import { reportOn } from './sandbox-report';

const { signal } = new AbortController();
const reportWith = (failure?: Error) => {
  const sandbox = new FakeSandbox();
  sandbox.failure = failure;
  return reportOn('bubblewrap', async () => ({ sandbox, notes: ['no control groups'] }), signal);
};

describe('reportOn', () => {
  it('says that all walls hold, and what is limited', async () => {
    expect(await reportWith()).toMatchObject({ isUsable: true, findings: ['all walls hold', 'no control groups'] });
  });

  it('names each open wall', async () => {
    expect(await reportWith(new SandboxBreached(['files: readable', 'network: open']))).toMatchObject({
      isUsable: false,
      findings: ['open: files: readable', 'open: network: open'],
    });
  });

  it('says why a sandbox does not start and what to do', async () => {
    const unavailable = new SandboxUnavailable('bubblewrap is not installed.', {
      remedy: 'apt-get install bubblewrap',
    });
    expect(await reportOn('bubblewrap', () => Promise.reject(unavailable), signal)).toEqual({
      name: 'bubblewrap',
      isUsable: false,
      findings: ['bubblewrap is not installed.'],
      remedy: 'apt-get install bubblewrap',
    });
  });

  it('passes other failures on', async () => {
    await expect(reportWith(new TypeError('a mistake'))).rejects.toThrow(TypeError);
  });
});
