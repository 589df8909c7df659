/** Most specific first: nearly every browser also claims to be some of the others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser in words people know it by. @param userAgent its `User-Agent`. */
export function deviceName(userAgent: string): string {
  const browser = nameIn(userAgent, BROWSERS) ?? 'Browser';
  const system = nameIn(userAgent, SYSTEMS);
  return system ? $localize`${browser}:browser: on ${system}:system:` : browser;
}

function nameIn(userAgent: string, names: typeof BROWSERS): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
