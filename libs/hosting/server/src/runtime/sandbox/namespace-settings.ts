import { readFile } from 'node:fs/promises';

/** Settings of the kernel that keep users from creating namespaces. */
const SETTINGS = [
  { name: 'user.max_user_namespaces', denies: '0', allows: '15000' },
  { name: 'kernel.unprivileged_userns_clone', denies: '0', allows: '1' },
  { name: 'kernel.apparmor_restrict_unprivileged_userns', denies: '1', allows: '0' },
];

/** Reads a setting; rejects where the kernel does not have it. */
export type ReadSetting = (name: string) => Promise<string>;

const readFromKernel: ReadSetting = (name) => readFile(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8');

/** The commands that let users create namespaces; none when no setting denies it. */
export async function commandsAllowingNamespaces(read: ReadSetting = readFromKernel): Promise<readonly string[]> {
  const found = await Promise.all(
    SETTINGS.map(async (setting) => ({ ...setting, value: (await read(setting.name).catch(() => '')).trim() })),
  );
  return found.filter(({ value, denies }) => value === denies).map(({ name, allows }) => `sysctl -w ${name}=${allows}`);
}
