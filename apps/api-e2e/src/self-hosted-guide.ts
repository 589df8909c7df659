import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseUnit, startUnit } from '@homeport/dev-services';
import { GuidePage, ROOT } from './guide-page';

const guide = new GuidePage('docs/self-hosting.md');

/** The paths of the guide, and those of this test. */
const PATHS = { '/opt/node/bin/node': process.execPath, '/opt/homeport': ROOT };

/** Returns the block of a language that contains the text, such as the path in its first line. */
export function blockOf(language: string, text: string): string {
  return guide.blockOf(language, text);
}

/** Replaces each text; throws when the guide does not contain it. */
export function replaced(text: string, replacements: Readonly<Record<string, string>>): string {
  return guide.replaced(text, replacements);
}

/** Returns the environment file with other values. Throws for a variable that the guide does not set. */
export function environmentFile(path: string, values: Readonly<Record<string, string>>): string {
  const text = Object.entries(values).reduce(
    (result, [name, value]) => {
      const line = new RegExp(`^${name}=.*$`, 'm');
      if (!line.test(result)) throw new Error(`docs/self-hosting.md does not set ${name} in ${path}`);
      return result.replace(line, () => `${name}=${value}`);
    },
    blockOf('ini', `# ${path}:`),
  );
  if (text.includes('<')) throw new Error(`A placeholder is left in ${path}: ${text}`);
  return text;
}

/** Where the programs of a test find each other, in place of the paths of the guide. */
export interface Places {
  /** The text of each environment file, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** In place of `/var/cache/homeport`. */
  readonly runtimeFolder: string;
  /** In place of `/var/lib/homeport`. */
  readonly stateFolder: string;
}

/** Runs the unit `homeport-{program}@{port}`, or `homeport-{program}` without a port. */
export function startInstance(
  program: 'api' | 'edge' | 'runtime',
  { files, runtimeFolder, stateFolder }: Places,
  port?: number,
) {
  const suffix = port === undefined ? '' : '@';
  const unit = parseUnit(readFileSync(join(ROOT, `deploy/systemd/homeport-${program}${suffix}.service`), 'utf8'));
  const paths = { ...PATHS, '/var/cache/homeport': runtimeFolder, '/var/lib/homeport': stateFolder };
  return startUnit(`${program}${suffix}${port ?? ''}`, unit, { instance: String(port ?? ''), files, paths });
}
