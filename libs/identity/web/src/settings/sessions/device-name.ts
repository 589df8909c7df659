/** Most specific first: most user agents also contain the names of other browsers. */
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

/** Returns a readable name of browser and system. @param userAgent the browser's `User-Agent`. */
export function deviceName(userAgent: string): string {
  const browser = nameIn(userAgent, BROWSERS) ?? 'Browser';
  const system = nameIn(userAgent, SYSTEMS);
  return system ? $localize`${browser}:browser: on ${system}:system:` : browser;
}

function nameIn(userAgent: string, names: typeof BROWSERS): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
