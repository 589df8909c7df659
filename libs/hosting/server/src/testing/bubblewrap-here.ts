import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxUnavailable } from '../runtime/application/sandbox.errors';
import { BubblewrapSandbox } from '../runtime/sandbox/bubblewrap-sandbox';

/** Whether this machine can run bubblewrap; otherwise states the reason, and tests that need it are skipped. */
export async function bubblewrapHere(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bwrap-'));
  await chmod(folder, 0o711);
  try {
    await BubblewrapSandbox.open({ runDirectory: folder, node: process.execPath });
    return true;
  } catch (error) {
    if (!(error instanceof SandboxUnavailable)) throw error;
    process.stderr.write(`The tests of the sandbox are skipped: ${error.message}\n`);
    return false;
  } finally {
    await rm(folder, { recursive: true });
  }
}
