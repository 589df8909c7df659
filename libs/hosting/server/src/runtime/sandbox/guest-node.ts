import { SandboxUnavailable } from '../application/sandbox.errors';

const NODE_MAJOR = 24;

/** @param version what `node --version` prints. @throws {SandboxUnavailable} when it is too old to run apps. */
export function assertNodeVersion(version: string, node: string): void {
  if (Number(/^v(\d+)\./.exec(version)?.[1]) >= NODE_MAJOR) return;
  const remedy = 'Set RUNTIME_NODE to the path of a newer one.';
  throw new SandboxUnavailable(`Apps need Node.js ${NODE_MAJOR} or later; ${node} is ${version.trim()}.`, { remedy });
}
