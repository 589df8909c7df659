import { describe, expect, it } from '@jest/globals';
import { needsManualInstall } from './ios-install';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';
const CHROME = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36';

describe('needsManualInstall', () => {
  it.each([
    [true, { userAgent: IPHONE, platform: 'iPhone', maxTouchPoints: 5 }],
    [true, { userAgent: MAC, platform: 'MacIntel', maxTouchPoints: 5 }],
    [false, { userAgent: MAC, platform: 'MacIntel', maxTouchPoints: 0 }],
    [false, { userAgent: IPHONE.replace('Version', 'CriOS'), platform: 'iPhone', maxTouchPoints: 5 }],
    [false, { userAgent: CHROME, platform: 'Linux armv81', maxTouchPoints: 5 }],
  ])('is %s for %j', (expected, device) => {
    expect(needsManualInstall(device, false)).toBe(expected);
  });

  it('is false once the app is installed', () => {
    expect(needsManualInstall({ userAgent: IPHONE, platform: 'iPhone', maxTouchPoints: 5 }, true)).toBe(false);
  });
});
