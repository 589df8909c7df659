// The entry point of every npm script. Plain JavaScript on Node's
// built-in modules: it runs before packages are installed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, findNode24, InstallFailed } from './install.mjs';

const COMMANDS = [
  ...['start', 'dev', 'test', 'reset', 'service', 'publish'],
  ...['token', 'dns-record', 'i18n', 'openapi', 'doctor', 'trust'],
];
const LEAST_NODE = 20;
const PARENT_CHECK_MILLISECONDS = 1_000;

const folder = dirname(fileURLToPath(import.meta.url));
const root = resolve(folder, '../..');

/** @param {string} message @returns {never} */
function giveUp(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

/** @param {string} node @param {string} command @param {string[]} args */
function handOver(node, command, args) {
  const child = spawn(node, [join(folder, `${command}.ts`), ...args], {
    cwd: root,
    // The closed IPC channel tells the child that this process has ended, even after a crash.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  followNpm(() => child.kill('SIGTERM'));
  child.once('error', (error) => giveUp(error.message));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}

/**
 * Detects the end of npm. npm passes signals only to its shell, which exits without passing them on, and npm cannot
 * pass on SIGKILL. So this watches our parent and, if that is npm's shell, also the shell's parent.
 * @param {() => void} onGone
 */
function followNpm(onGone) {
  if (!process.env['npm_lifecycle_event']) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  setInterval(() => {
    if (process.ppid !== shell || parentOf(shell) !== npm) onGone();
  }, PARENT_CHECK_MILLISECONDS).unref();
}

/**
 * Returns the parent of a shell; undefined for other programs and without /proc (there the shell replaces itself with
 * this process).
 * @param {number} pid
 */
function parentOf(pid) {
  try {
    const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return /^(ba|da|a|z)?sh$/.test(name) ? parent : undefined;
  } catch {
    return undefined;
  }
}

const [command = '', ...args] = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  giveUp(`Homeport needs Node.js ${LEAST_NODE} or later; this is ${process.version}. Get it from https://nodejs.org.`);
}
if (!COMMANDS.includes(command)) giveUp(`Usage: node tools/bootstrap/run.mjs ${COMMANDS.join(' | ')}`);
try {
  await ensureInstalled(root, process.env);
  handOver(findNode24(root), command, args);
} catch (error) {
  if (error instanceof InstallFailed) giveUp(error.message);
  if (Object(error).code === 'ENOSPC') giveUp('The disk is full. Free about 2 GB and run the command again.');
  if (['EACCES', 'EPERM', 'EROFS'].includes(Object(error).code)) {
    giveUp(`${Object(error).message}\nThis checkout is not writable. Check who owns it.`);
  }
  throw error;
}
