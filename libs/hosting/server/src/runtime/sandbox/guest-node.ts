import { access, constants, stat } from 'node:fs/promises';
import { SandboxUnavailable } from '../application/sandbox.errors';

/** The first version with `http.setGlobalProxyFromEnv`, which `guest.mjs` calls. */
const OLDEST = { major: 24, minor: 14 };

/** @throws {SandboxUnavailable} when it is missing, or no program for the user of the runtime. */
export async function assertNodeIsProgram(node: string): Promise<void> {
  const refuse = (cause?: NodeJS.ErrnoException): never => {
    const reason = `${node} is not a program (${cause?.code ?? 'it is a folder'}).`;
    throw new SandboxUnavailable(reason, { remedy: 'Set RUNTIME_NODE to the path of Node.js.', path: node, cause });
  };
  await access(node, constants.X_OK).catch(refuse);
  if (!(await stat(node)).isFile()) refuse();
}

/** @param version what `node --version` prints. @throws {SandboxUnavailable} when it is too old to run apps. */
export function assertNodeVersion(version: string, node: string): void {
  const [, major = 0, minor = 0] = (/^v(\d+)\.(\d+)\./.exec(version) ?? []).map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  const remedy = 'Set RUNTIME_NODE to the path of a newer one.';
  throw new SandboxUnavailable(
    `Apps need Node.js ${OLDEST.major}.${OLDEST.minor} or later; ${node} is ${version.trim()}.`,
    { remedy, path: node },
  );
}
