import { SandboxUnavailable } from '../application/sandbox.errors';

/** The first version with `http.setGlobalProxyFromEnv`, which `guest.mjs` calls. */
const OLDEST = { major: 24, minor: 14 };

/** @param version what `node --version` prints. @throws {SandboxUnavailable} when it is too old to run apps. */
export function assertNodeVersion(version: string, node: string): void {
  const [, major = 0, minor = 0] = (/^v(\d+)\.(\d+)\./.exec(version) ?? []).map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  const remedy = 'Set RUNTIME_NODE to the path of a newer one.';
  throw new SandboxUnavailable(
    `Apps need Node.js ${OLDEST.major}.${OLDEST.minor} or later; ${node} is ${version.trim()}.`,
    {
      remedy,
    },
  );
}
