import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BubblewrapSandbox, GvisorSandbox, reportOn, type SandboxReport } from '@homeport/hosting/server/runtime';
import type { Environment } from '@homeport/platform/server/config';

const LIMIT_MS = 120_000;

/**
 * Examines which sandboxes this machine can have, with the settings of the runtime, and prints what it finds.
 * @param print writes a line.
 * @returns whether the chosen sandbox is usable; without a choice, whether one is.
 */
export async function examineMachine(env: Environment, print: (line: string) => void): Promise<boolean> {
  const reports = await reportsFor(env);
  const user = process.getuid?.() === 0 ? 'root' : 'an ordinary user';
  print(`Sandboxes for SSR apps on this machine (${process.platform} ${release()}, ${process.arch}, as ${user}):`);
  for (const line of reports.flatMap(linesOf)) print(line);
  print('bare        runs everywhere and isolates nothing: for your own apps, refused in production');
  const { RUNTIME_SANDBOX: chosen } = env;
  const isUsable =
    chosen === 'bare' || reports.some((report) => report.isUsable && report.name === (chosen || report.name));
  print('');
  print(isUsable ? adviceFor(reports) : `No usable sandbox${chosen ? `: RUNTIME_SANDBOX is ${chosen}` : ''}.`);
  return isUsable;
}

async function reportsFor({
  RUNTIME_DIR,
  RUNTIME_NODE: node = process.execPath,
}: Environment): Promise<SandboxReport[]> {
  const runDirectory = await examinationFolder(RUNTIME_DIR);
  const signal = AbortSignal.timeout(LIMIT_MS);
  const options = { runDirectory, node };
  try {
    return [
      await reportOn('bubblewrap', () => openBubblewrap(options), signal),
      await reportOn('gvisor', async () => ({ sandbox: await GvisorSandbox.open(options), notes: [] }), signal),
    ];
  } finally {
    await rm(runDirectory, { recursive: true, force: true });
  }
}

/** The name is as short as that of the runtime's own folder: paths of sockets have a limit. */
async function examinationFolder(runtimeFolder: string | undefined): Promise<string> {
  const folder = runtimeFolder ? join(runtimeFolder, 'try') : await mkdtemp(join(tmpdir(), 'hp-try-'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o711 });
  return folder;
}

async function openBubblewrap(options: Parameters<typeof BubblewrapSandbox.open>[0]) {
  const sandbox = await BubblewrapSandbox.open(options);
  const shared = 'all apps run as this user; as root, each app has its own';
  const unlimited =
    'no control groups: each process limits its memory, and nothing limits CPU. Start it with Delegate=yes of systemd';
  const notes = [...(process.getuid?.() === 0 ? [] : [shared]), ...(sandbox.hasControlGroups ? [] : [unlimited])];
  return { sandbox, notes };
}

function linesOf({ name, isUsable, findings, remedy }: SandboxReport): string[] {
  const [first = '', ...more] = findings;
  return [
    `${name.padEnd(12)}${isUsable ? 'usable' : 'not usable'}: ${first}`,
    ...[...more, ...(remedy === undefined ? [] : [remedy])].map((line) => `${' '.repeat(12)}${line}`),
  ];
}

function adviceFor(reports: readonly SandboxReport[]): string {
  const isHostileAllowed = reports.some(({ name, isUsable }) => name === 'gvisor' && isUsable);
  const trusted = 'For people who trust each other: RUNTIME_TENANCY=trusted with RUNTIME_SANDBOX=bubblewrap.';
  const hostile = 'For people who do not: RUNTIME_TENANCY=hostile with RUNTIME_SANDBOX=gvisor.';
  const hasBubblewrap = reports.some(({ name, isUsable }) => name === 'bubblewrap' && isUsable);
  return [...(hasBubblewrap ? [trusted] : []), ...(isHostileAllowed ? [hostile] : [])].join('\n');
}
