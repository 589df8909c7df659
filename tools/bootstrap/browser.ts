import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { SetupFailed } from '../dev-services/errors.ts';
import { runCommand, runTool } from './commands.ts';
import type { Environment } from './settings.ts';

const COMMANDS = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser', 'microsoft-edge'];

/** Where browsers are when they are not on the PATH. */
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

/** A Chromium for the tests, installed when this machine has none. Throws SetupFailed when there is no way to one. */
export async function ensureBrowser(env: Environment): Promise<string> {
  const given = env['CHROMIUM_PATH'];
  if (given) {
    if (await isProgram(given)) return given;
    throw new SetupFailed(`CHROMIUM_PATH is ${given}, which is no program.`);
  }
  const found = (await findInstalled(env)) ?? (await installFromSystem(env)) ?? (await installFromPlaywright(env));
  if (found) return found;
  throw new SetupFailed(
    'The browser tests need Chromium, and it could not be installed. Install Chromium, Chrome or Edge, ' +
      'or set CHROMIUM_PATH to one.',
  );
}

async function findInstalled(env: Environment): Promise<string | undefined> {
  for (const path of browserCandidates(env, process.platform)) {
    if (await works(path, env)) return path;
  }
  return undefined;
}

/** Some systems have a `chromium-browser` that only says where to get one. */
async function works(path: string, env: Environment): Promise<boolean> {
  if (!(await isProgram(path))) return false;
  if (process.platform !== 'linux') return true;
  const { ok, output } = await runCommand(path, ['--version'], { env });
  return ok && /\d+\.\d+/.test(output);
}

async function installFromSystem(env: Environment): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  if (!(await isProgram('/usr/bin/apt-get'))) return undefined;
  console.log('Installing Chromium with apt-get …');
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } };
  await runCommand('apt-get', ['update'], options);
  const { ok } = await runCommand('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  return ok ? findInstalled(env) : undefined;
}

async function installFromPlaywright(env: Environment): Promise<string | undefined> {
  console.log('Installing Chromium with Playwright …');
  const withSystemPackages = process.getuid?.() === 0 ? ['--with-deps'] : [];
  const args = ['install', ...withSystemPackages, 'chromium'];
  const { ok } = await runTool('node_modules/playwright/cli.js', args, { env, show: true });
  if (!ok) return undefined;
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Absent, no program, or in a folder we cannot enter: none of them can be run.
    return false;
  }
}
