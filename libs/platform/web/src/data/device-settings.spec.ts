import { beforeEach, describe, expect, it } from '@jest/globals';
import { keepingDeviceSettings } from './device-settings';

describe('keepingDeviceSettings', () => {
  beforeEach(() => localStorage.clear());

  it('keeps theme and language, and nothing of the person', async () => {
    for (const name of ['theme', 'language', 'person', 'databases']) localStorage.setItem(`homeport.${name}`, name);
    const result = await keepingDeviceSettings(async () => {
      localStorage.clear();
      return 'done';
    });
    expect(result).toBe('done');
    expect({ ...localStorage }).toEqual({ 'homeport.theme': 'theme', 'homeport.language': 'language' });
  });

  it('keeps them when the work fails', async () => {
    localStorage.setItem('homeport.wrap', 'off');
    const work = async () => {
      localStorage.clear();
      throw new Error('failed');
    };
    await expect(keepingDeviceSettings(work)).rejects.toThrow('failed');
    expect(localStorage.getItem('homeport.wrap')).toBe('off');
  });
});
