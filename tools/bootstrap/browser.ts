import { delimiter, join } from 'node:path';
import { SetupFailed } from '../dev-services/errors.ts';
import { runCommand, runTool } from './commands.ts';
import type { CommandOptions, CommandResult } from './commands.ts';
import { step } from './progress.ts';
import type { Environment } from './settings.ts';
import { installPackages, isProgram } from './system-packages.ts';

type BrowserOptions = Pick<CommandOptions, 'env' | 'signal'>;

/** Preferred first: the headless shell is the same browser without windows and takes 20 % less time. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'google-chrome',
  'google-chrome-stable',
  'chromium-browser',
  'microsoft-edge',
];
/** Distributions without a package for the headless shell offer the whole browser. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** Returns the paths to search: known install locations and the PATH. */
export function browserCandidates(env: Environment, platform: NodeJS.Platform): string[] {
  const onPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const commands = COMMANDS.flatMap((command) => onPath.map((folder) => join(folder, command)));
  if (platform === 'darwin') {
    const applications = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return [...applications.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`), ...commands];
  }
  if (platform === 'win32') {
    const programs = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].filter((folder) => folder);
    const paths = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return paths.flatMap((path) => programs.map((folder) => join(folder ?? '', path)));
  }
  return commands;
}

/**
 * Finds a Chromium for the tests, or installs one.
 * @throws {SetupFailed} when no browser can be installed, or after a stop request.
 */
export async function ensureBrowser(options: BrowserOptions): Promise<string> {
  const given = options.env['CHROMIUM_PATH'];
  if (given) {
    if (await isProgram(given)) return given;
    throw new SetupFailed(`CHROMIUM_PATH is ${given}, which is not an executable file.`);
  }
  for (const find of [findInstalled, installFromSystem, installFromPlaywright]) {
    const found = await find(options);
    if (options.signal?.aborted) throw new SetupFailed('Stopped while looking for a browser.');
    if (found) return found;
  }
  throw new SetupFailed(
    'The browser tests need Chromium, and it could not be installed. Install Chromium, Chrome or Edge, ' +
      'or set CHROMIUM_PATH to one.',
  );
}

/** Explains how to fix an installed browser that does not start. */
export function adviceForBroken(path: string, output: string): string {
  const [, library] = /error while loading shared libraries: ([^\s:]+)/.exec(output) ?? [];
  if (!library) return `${path} does not start. Set CHROMIUM_PATH to a browser that does.\n${output.trim()}`;
  return (
    `${path} does not start: the system has no ${library}. Install what it needs with "npx playwright install-deps ` +
    'chromium" as root, or install Chromium, Chrome or Edge with the packages of your system.'
  );
}

async function findInstalled({ env, signal }: BrowserOptions): Promise<string | undefined> {
  for (const path of browserCandidates(env, process.platform)) {
    if ((await isProgram(path)) && (await probeBrowser(path, { env, signal })).ok) return path;
  }
  return undefined;
}

/** Verifies the version: some systems have a `chromium-browser` stub that only prints how to install one. */
async function probeBrowser(path: string, options: BrowserOptions): Promise<CommandResult> {
  if (process.platform !== 'linux') return { ok: await isProgram(path), output: '' };
  const { ok, output } = await runCommand(path, ['--version'], options);
  return { ok: ok && /\d+\.\d+/.test(output), output };
}

async function installFromSystem(options: BrowserOptions): Promise<string | undefined> {
  for (const name of PACKAGES) {
    const found = (await installPackages([name], options)) ? await findInstalled(options) : undefined;
    if (found || options.signal?.aborted) return found;
  }
  return undefined;
}

async function installFromPlaywright({ env, signal }: BrowserOptions): Promise<string | undefined> {
  console.log('Installing Chromium with Playwright …');
  const withSystemPackages = process.getuid?.() === 0 ? ['--with-deps'] : [];
  const args = ['install', ...withSystemPackages, 'chromium'];
  const options = { env, signal, show: true };
  const { ok } = await step('playwright install chromium', () =>
    runTool('node_modules/playwright/cli.js', args, options),
  );
  if (!ok) return undefined;
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  const trial = await probeBrowser(path, { env, signal });
  if (trial.ok || signal?.aborted) return path;
  throw new SetupFailed(adviceForBroken(path, trial.output));
}
