import { exitWithParentArgs, startChild } from '../child-process.ts';
import type { Child, Log } from '../child-process.ts';
import { SetupFailed } from '../errors.ts';

/** The directives of the section `[Service]`: every value of each name, in order. */
export type Unit = ReadonlyMap<string, readonly string[]>;

export interface UnitOptions {
  /** Replaces `%i`. */
  instance: string;
  /** The text of each `EnvironmentFile`, by path. */
  files: Readonly<Record<string, string>>;
  /** Replaces paths of the unit, such as that of Node.js. */
  paths: Readonly<Record<string, string>>;
  onLog?: Log;
}

/** Reads the units of this repository: they have neither quotes nor continued lines. */
export function parseUnit(text: string): Unit {
  const [, service = ''] = /^\[Service\]\n([^]*?)(?=^\[|$(?![^]))/m.exec(text) ?? [];
  const unit = new Map<string, string[]>();
  for (const [, name = '', value = ''] of service.matchAll(/^(\w+)=(.*)$/gm)) {
    unit.set(name, [...(unit.get(name) ?? []), value]);
  }
  return unit;
}

/** Reads the assignments of an environment file. */
export function parseEnvironmentFile(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** The environment that systemd gives the program: files override `Environment=`. */
export function environmentOf(unit: Unit, { instance, files, paths }: UnitOptions): Record<string, string> {
  const assignments = (unit.get('Environment') ?? []).join(' ').replaceAll('%i', instance).split(' ').join('\n');
  const texts = (unit.get('EnvironmentFile') ?? []).map((path) => {
    const text = files[path];
    if (text === undefined) throw new SetupFailed(`There is no text for ${path}.`);
    return text;
  });
  return parseEnvironmentFile(withPaths([assignments, ...texts].join('\n'), paths));
}

/** Runs `ExecStart` as a child process, with the environment of the unit alone, and stops it as the unit says. */
export function startUnit(name: string, unit: Unit, options: UnitOptions): Child {
  const command = withPaths(unit.get('ExecStart')?.[0] ?? '', options.paths);
  const [program, ...args] = command.split(' ');
  const main = args.findIndex((arg) => !arg.startsWith('-'));
  if (program !== process.execPath || main < 0) throw new SetupFailed(`${name} does not run this Node.js: ${command}`);
  return startChild({
    name,
    main: args[main] ?? '',
    args: args.slice(main + 1),
    execArgv: [...args.slice(0, main), ...exitWithParentArgs()],
    cwd: withPaths(unit.get('WorkingDirectory')?.[0] ?? '', options.paths),
    env: environmentOf(unit, options),
    onLog: options.onLog,
    stopTimeoutMilliseconds: 1_000 * Number.parseInt(unit.get('TimeoutStopSec')?.[0] ?? '', 10),
  });
}

function withPaths(text: string, paths: Readonly<Record<string, string>>): string {
  return Object.entries(paths).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}
