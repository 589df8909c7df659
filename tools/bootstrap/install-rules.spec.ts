import { describe, expect, it } from '@jest/globals';
import { adviceFor, fingerprintOf, judgeInstall } from './install-rules.mjs';

const lock = (version: string, more: object = {}): string =>
  JSON.stringify({ packages: { '': {}, 'node_modules/a': { version }, ...more } });
const platform = 'linux-x64';
const facts = { lockText: lock('1.0.0'), hiddenText: lock('1.0.0'), marker: undefined, platform };

describe('judgeInstall', () => {
  it('is ready when the last installation was for this lock file and platform', () => {
    expect(judgeInstall({ ...facts, marker: fingerprintOf(facts.lockText, platform) })).toBe('ready');
  });

  it('installs when packages are missing or an installation was interrupted', () => {
    expect(judgeInstall({ ...facts, hiddenText: undefined })).toMatch(/not completely/);
  });

  it('installs when the lock file or the platform has changed', () => {
    const changed = { ...facts, lockText: lock('2.0.0'), marker: fingerprintOf(facts.lockText, platform) };
    expect(judgeInstall(changed)).toMatch(/do not match package-lock/);
    expect(judgeInstall({ ...facts, marker: fingerprintOf(facts.lockText, 'darwin-arm64') })).toMatch(/platform/);
  });

  it('adopts a changed lock file that was installed by hand', () => {
    expect(judgeInstall({ ...facts, marker: fingerprintOf(lock('0.9.0'), platform) })).toBe('adopt');
  });

  it('adopts a complete "npm ci" by hand without the packages of other platforms', () => {
    expect(judgeInstall(facts)).toBe('adopt');
    const lockText = lock('1.0.0', { 'node_modules/other-platform': { version: '1.0.0', optional: true } });
    expect(judgeInstall({ ...facts, lockText })).toBe('adopt');
  });

  it.each([lock('2.0.0'), lock('1.0.0', { 'node_modules/b': { version: '1.0.0' } }), '{'])(
    'installs when other versions were installed by hand (%#)',
    (lockText) => expect(judgeInstall({ ...facts, lockText })).toMatch(/do not match package-lock/),
  );
});

describe('adviceFor', () => {
  it.each([
    ['npm error code ENOSPC', /disk is full/],
    ['npm error code EAI_AGAIN', /Check the network/],
    ['npm error code EACCES', /is not writable/],
    ['npm error code E401', /credentials/],
    ['npm error code EUSAGE', /does not match/],
    ['npm error code EINTEGRITY', /cache verify/],
    ['something else', /repeats the installation/],
  ])('%s', (output, advice) => expect(adviceFor(output)).toMatch(advice));
});
