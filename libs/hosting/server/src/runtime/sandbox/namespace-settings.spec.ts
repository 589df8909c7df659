import { describe, expect, it } from '@jest/globals';
import { commandsAllowingNamespaces } from './namespace-settings';

const reader = (settings: Readonly<Record<string, string>>) => async (name: string) => {
  const value = settings[name];
  if (value === undefined) throw new Error('ENOENT');
  return `${value}\n`;
};

describe('commandsAllowingNamespaces', () => {
  it.each([
    ['a kernel without the settings', {}, []],
    ['Debian', { 'user.max_user_namespaces': '95763', 'kernel.unprivileged_userns_clone': '1' }, []],
    [
      'Ubuntu 24.04',
      { 'kernel.apparmor_restrict_unprivileged_userns': '1' },
      ['sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'],
    ],
    [
      'a hardened machine',
      { 'user.max_user_namespaces': '0', 'kernel.unprivileged_userns_clone': '0' },
      ['sysctl -w user.max_user_namespaces=15000', 'sysctl -w kernel.unprivileged_userns_clone=1'],
    ],
  ])('on %s', async (_name, settings, commands) => {
    expect(await commandsAllowingNamespaces(reader(settings))).toEqual(commands);
  });
});
