import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** The built file, because Node does not resolve the imports of the source files. */
const BUILT = '../../../../../dist/api/libs/platform/server/src/process/create-logger.js';
const LOG = pathToFileURL(join(import.meta.dirname, BUILT)).href;

/** Starts a process that creates `log` and runs `script`. */
function processWith(script: string) {
  const code = `import { createLogger } from '${LOG}';\nconst log = createLogger('info', 'api');\n${script}`;
  const args = ['--no-warnings', '--input-type=module', '--eval', code];
  return spawn(process.execPath, args, {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
}

async function messagesOf(script: string): Promise<string[]> {
  const lines = (await text(processWith(script).stdout)).trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describe('logged errors', () => {
  it('include their causes and omit properties that libraries attach', async () => {
    const script = `
      const cause = Object.assign(new Error('postgres://app:pass@db/x refused'), { code: '28P01', client: { password: 'pass' } });
      log.error({ err: Object.assign(new Error('failed', { cause }), { parameters: ['pass'] }) }, 'a');`;
    const output = await text(processWith(script).stdout);
    expect(JSON.parse(output)).toMatchObject({
      err: {
        type: 'Error',
        message: 'failed',
        stack: expect.any(String),
        cause: { type: 'Error', code: '28P01', message: 'postgres://[redacted]@db/x refused' },
      },
    });
    expect(output).not.toContain('pass');
  });
});

describe('createLogger', () => {
  it.each([
    ['calls exit', `log.info('1'); process.exit(1);`],
    ['throws', `log.info('1'); throw new Error('a defect');`],
    ['has no work left', `log.info('1');`],
  ])('writes all lines when the process ends because it %s', async (_why, script) => {
    expect(await messagesOf(script)).toEqual(['1']);
  });

  it('writes lines that exceed one batch', async () => {
    const script = `for (let i = 0; i < 300; i += 1) log.info('x'.repeat(50)); log.error('last'); process.exit(1);`;
    const messages = await messagesOf(script);
    expect(messages).toHaveLength(301);
    // A batch that was being written at the exit may follow the last line.
    expect(messages).toContain('last');
  });

  it('lets the process end when its output is closed', async () => {
    const child = processWith(`setTimeout(() => { log.warn('1'); log.info('2'); process.exit(7); }, 300);`);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([7, null]);
  });
});
