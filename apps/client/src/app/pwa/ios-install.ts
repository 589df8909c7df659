export interface BrowserInfo {
  readonly userAgent: string;
  readonly platform: string;
  readonly maxTouchPoints: number;
}

/** Whether only the person can install the app, through the browser's share menu: on iPhones and iPads, in Safari. */
export function needsManualInstall(
  { userAgent, platform, maxTouchPoints }: BrowserInfo,
  isInstalled: boolean,
): boolean {
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1);
  const isSafari = /Safari\//.test(userAgent) && !/(CriOS|FxiOS|EdgiOS|OPiOS|DuckDuckGo)\//.test(userAgent);
  return isIos && isSafari && !isInstalled;
}
