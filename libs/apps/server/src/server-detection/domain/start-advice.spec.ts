import { describe, expect, it } from '@jest/globals';
import { startAdvice } from './start-advice';

describe('startAdvice', () => {
  it.each([
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'hono' imported from /app/dist/index.js", /node_modules/],
    ["Error: Cannot find module '@acme/db'", /node_modules/],
    ['Error: /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node: invalid ELF header', /--os=linux/],
    ['Error: Could not load the "sharp" module using the linux-x64 runtime', /--os=linux/],
    ['was compiled against a different Node.js version using', /Node\.js 24/],
    ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', /memory/],
    ["Error: EROFS: read-only file system, mkdir '/app/cache'", /TMPDIR/],
  ])('says what to do about %j', (line, advice) => {
    expect(startAdvice('The start failed: exit code 1.', ['Starting', line, '    at main'])).toMatch(advice);
  });

  it.each([
    ['The start failed: it did not listen within 10 s.', /variable PORT/],
    ['The start failed: exit code 0.', /variable PORT/],
    ['The start failed: it exceeded its memory limit.', /memory/],
    ['A request for "/" was not answered: no response arrived within 30 s.', /public addresses/],
    ['A request for "/" was answered with the status 500.', /variable of the app/],
  ])('says what to do about the reason %j', (reason, advice) => {
    expect(startAdvice(reason, ['Starting'])).toMatch(advice);
  });

  it('prefers the cause in the log', () => {
    expect(startAdvice('The start failed: exit code 0.', ["Error: Cannot find module 'hono'"])).toMatch(/node_modules/);
  });

  it('has none for files of the app and for other errors', () => {
    const reason = 'The start failed: exit code 1.';
    const log = ["Error: Cannot find module './routes.js'", 'TypeError: x is not a function'];
    expect([startAdvice(reason, log), startAdvice(reason, [])]).toEqual([undefined, undefined]);
  });
});
