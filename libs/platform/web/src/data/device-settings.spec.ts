import { beforeEach, describe, expect, it } from '@jest/globals';
import { preserveDeviceSettings } from './device-settings';

describe('preserveDeviceSettings', () => {
  const entries = new Map<string, string>();
  const storage = () => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  });

  beforeEach(() => {
    entries.clear();
    for (const name of ['theme', 'language', 'person', 'databases']) entries.set(`homeport.${name}`, name);
  });

  it('keeps theme and language, and no personal data', async () => {
    expect(await preserveDeviceSettings(async () => entries.clear(), storage)).toBeUndefined();
    expect(Object.fromEntries(entries)).toEqual({ 'homeport.theme': 'theme', 'homeport.language': 'language' });
  });

  it('keeps them when the task fails', async () => {
    const work = async () => {
      entries.clear();
      throw new Error('failed');
    };
    await expect(preserveDeviceSettings(work, storage)).rejects.toThrow('failed');
    expect(entries.size).toBe(2);
  });

  it('runs the task when the browser blocks storage', async () => {
    const blocked = () => {
      throw new Error('blocked');
    };
    expect(await preserveDeviceSettings(async () => 'done', blocked)).toBe('done');
  });
});
