import { createHash } from 'node:crypto';

/**
 * Returns the fingerprint of an installation: platform and lock file. The Node that runs npm is not part of it: native
 * modules run under the Node of the lock file, and `npm run` uses another Node the second time, when node_modules/.bin
 * has one.
 * @param {string} lockText
 * @param {string} platform
 */
export function fingerprintOf(lockText, platform) {
  return `${platform} ${createHash('sha256').update(lockText).digest('hex')}`;
}

/**
 * Decides what to do about the installed packages.
 * @param {import('./install-rules.d.mts').InstallFacts} facts
 * @returns `ready`: complete. `adopt`: complete, but installed by hand. Otherwise the reason to install.
 */
export function judgeInstall({ lockText, hiddenText, marker, platform }) {
  if (hiddenText === undefined) return 'packages are not installed, or not completely';
  if (marker === fingerprintOf(lockText, platform)) return 'ready';
  const [installedFor = platform] = /^\S+(?= [0-9a-f]{64}$)/.exec(marker ?? '') ?? [];
  if (installedFor !== platform) return 'the packages belong to another platform';
  return sameVersions(lockText, hiddenText) ? 'adopt' : 'the installed packages do not match package-lock.json';
}

/**
 * Compares the versions. npm writes node_modules/.package-lock.json last, so the packages in it are complete. Packages
 * for other platforms are missing from it.
 * @param {string} lockText
 * @param {string} hiddenText
 */
function sameVersions(lockText, hiddenText) {
  const required = packagesOf(lockText);
  const present = packagesOf(hiddenText);
  if (!required || !present) return false;
  return Object.entries(required).every(([path, entry]) => {
    if (path === '') return true;
    const installed = present[path];
    return installed ? installed.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer);
  });
}

/**
 * @param {string} text
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }> | undefined}
 */
function packagesOf(text) {
  try {
    return JSON.parse(text).packages;
  } catch {
    return undefined;
  }
}

const NETWORK = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/**
 * Explains how to fix a failed `npm ci`, from its output.
 * @param {string} output
 */
export function adviceFor(output) {
  if (/\bENOSPC\b|no space left/i.test(output)) return 'The disk is full. Free about 2 GB and run the command again.';
  if (NETWORK.test(output)) {
    return 'The package registry cannot be reached. Check the network, proxy and registry ("npm ping"), and run the command again.';
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return 'A folder is not writable. Check who owns this checkout and the npm cache ("npm config get cache").';
  }
  if (/\bE(401|403)\b/.test(output))
    return 'The package registry denied access. Check the registry and its credentials.';
  if (/\bEUSAGE\b/.test(output)) {
    return 'package-lock.json does not match package.json. Run "npm install" and review what it changes.';
  }
  if (/\bEINTEGRITY\b/.test(output))
    return 'A download was damaged. Run "npm cache verify", and then the command again.';
  return 'The reason is above. Running the command again repeats the installation.';
}
