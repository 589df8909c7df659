import { createHash } from 'node:crypto';

/**
 * What an installation depends on. The Node that runs npm is not part of it: native modules run under the Node of the
 * lock file, and `npm run` picks another one the second time, when node_modules/.bin has it.
 * @param {string} lockText @param {string} platform
 */
export function fingerprintOf(lockText, platform) {
  return `${platform} ${createHash('sha256').update(lockText).digest('hex')}`;
}

/**
 * `ready`: nothing to do. `adopt`: complete, but installed by hand. Otherwise the reason why it must be installed.
 * @param {import('./install-rules.d.mts').InstallFacts} facts
 */
export function judgeInstall({ lockText, hiddenText, marker, platform }) {
  if (hiddenText === undefined) return 'packages are not installed, or not completely';
  if (marker === fingerprintOf(lockText, platform)) return 'ready';
  const [installedFor = platform] = /^\S+(?= [0-9a-f]{64}$)/.exec(marker ?? '') ?? [];
  if (installedFor !== platform) return 'the packages are those of another platform';
  return sameVersions(lockText, hiddenText) ? 'adopt' : 'the installed packages are not those of package-lock.json';
}

/**
 * npm writes node_modules/.package-lock.json last, so what it lists is there. Packages for other platforms are missing
 * from it.
 * @param {string} lockText @param {string} hiddenText
 */
function sameVersions(lockText, hiddenText) {
  const wanted = packagesOf(lockText);
  const present = packagesOf(hiddenText);
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
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
 * What to do about a failed `npm ci`, from its output.
 * @param {string} output
 */
export function adviceFor(output) {
  if (/\bENOSPC\b|no space left/i.test(output)) return 'The disk is full. Free about 2 GB and run the command again.';
  if (NETWORK.test(output)) {
    return 'The package registry cannot be reached. Check the network, proxy and registry ("npm ping"), and run the command again.';
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return 'A folder may not be written. Check who owns this checkout and the npm cache ("npm config get cache").';
  }
  if (/\bE(401|403)\b/.test(output)) return 'The package registry refused us. Check the registry and its credentials.';
  if (/\bEUSAGE\b/.test(output)) {
    return 'package-lock.json does not match package.json. Run "npm install" and look at what it changes.';
  }
  if (/\bEINTEGRITY\b/.test(output))
    return 'A download was damaged. Run "npm cache verify", and then the command again.';
  return 'The reason is above. Running the command again repeats the installation.';
}
