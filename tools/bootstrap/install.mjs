import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { withLock } from './install-lock.mjs';
import { adviceFor, fingerprintOf, judgeInstall } from './install-rules.mjs';

const PLATFORM = `${process.platform}-${process.arch}`;
const HEARTBEAT_MILLISECONDS = 15_000;

/** A failure whose message tells how to fix it. */
export class InstallFailed extends Error {}

/**
 * Makes node_modules match package-lock.json, unless it already does.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureInstalled(root, env) {
  if (judge(root) === 'ready') return;
  const wait = (/** @type {number} */ pid) =>
    console.log(`Another Homeport process (${pid}) is installing packages; waiting …`);
  await withLock(join(root, 'tmp', 'install.lock'), () => install(root, env), wait);
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
async function install(root, env) {
  const verdict = judge(root);
  if (verdict === 'ready') return;
  const marker = join(root, 'node_modules', '.homeport-install');
  if (verdict !== 'adopt') {
    console.log(`Installing packages (${verdict}). This takes a minute or two, once.`);
    rmSync(marker, { force: true });
    await runNpmCi(root, env);
  }
  writeFileSync(marker, fingerprintOf(readFileSync(join(root, 'package-lock.json'), 'utf8'), PLATFORM));
}

/** @param {string} root */
function judge(root) {
  const lockText = read(join(root, 'package-lock.json'));
  if (lockText === undefined) throw new InstallFailed(`${root} has no package-lock.json; this checkout is incomplete.`);
  return judgeInstall({
    lockText,
    hiddenText: read(join(root, 'node_modules', '.package-lock.json')),
    marker: read(join(root, 'node_modules', '.homeport-install')),
    platform: PLATFORM,
  });
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (Object(error).code === 'ENOENT' || Object(error).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
async function runNpmCi(root, env) {
  const started = Date.now();
  const { command, args, shell } = npmOf(root, env);
  // With NODE_ENV=production, npm would omit packages that builds and tests need.
  const child = spawn(command, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: root,
    env: withoutOwnBin(root, env),
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
      to.write(chunk);
    });
  }
  const beat = setInterval(() => {
    console.log(`  … still installing (${Math.round((Date.now() - started) / 1000)} s)`);
  }, HEARTBEAT_MILLISECONDS);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
  clearInterval(beat);
  if (code === 'spawn npm ENOENT') throw new InstallFailed('npm was not found. Install Node.js with npm.');
  if (code !== 0) throw new InstallFailed(`"npm ci" failed (${code}). ${adviceFor(output)}`);
  console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/**
 * Returns the npm that runs us, under its own Node: the Node in node_modules disappears during the installation.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
function npmOf(root, env) {
  const node = env['npm_node_execpath'];
  const cli = env['npm_execpath'];
  if (node && cli && /\.[cm]?js$/.test(cli) && existsSync(node) && !node.startsWith(join(root, 'node_modules'))) {
    return { command: node, args: [cli], shell: false };
  }
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
function withoutOwnBin(root, env) {
  const own = join(root, 'node_modules') + sep;
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const remaining = (env[name] ?? '').split(delimiter).filter((folder) => !`${folder}${sep}`.startsWith(own));
  return { ...env, [name]: remaining.join(delimiter) };
}

/**
 * Finds a Node 24 or later: the one in node_modules, else the current one.
 * @param {string} root
 */
export function findNode24(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const own = join(root, 'node_modules', 'node', 'bin', name);
  if (majorOf(own) >= 24) return own;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new InstallFailed(
    `${own} is missing or does not run, because npm did not run install scripts ("npm config get ignore-scripts"). ` +
      'Allow them and remove node_modules, or use Node.js 24 or later.',
  );
}

/** @param {string} node */
function majorOf(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}
