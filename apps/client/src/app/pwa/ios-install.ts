export interface BrowserInfo {
  readonly userAgent: string;
  readonly platform: string;
  readonly maxTouchPoints: number;
}

/** Whether the app can only be installed from the browser's share menu: in Safari on iPhone and iPad. */
export function needsManualInstall(
  { userAgent, platform, maxTouchPoints }: BrowserInfo,
  isInstalled: boolean,
): boolean {
  // An iPad identifies as a Mac, but no Mac has a touch screen.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1);
  const isSafari = /Safari\//.test(userAgent) && !/(CriOS|FxiOS|EdgiOS|OPiOS|DuckDuckGo)\//.test(userAgent);
  return isIos && isSafari && !isInstalled;
}
