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
    expect(startAdvice(['Starting', line, '    at main'])).toMatch(advice);
  });

  it('has none for files of the app and for other errors', () => {
    expect(startAdvice(["Error: Cannot find module './routes.js'", 'TypeError: x is not a function'])).toBeUndefined();
    expect(startAdvice([])).toBeUndefined();
  });
});
