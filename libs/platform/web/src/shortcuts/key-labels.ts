/** Whether this device has a Command key where others have Ctrl. */
export function isApplePlatform(platform: string): boolean {
  return /^(mac|iphone|ipad|ipod)/i.test(platform);
}

/** A key as this device prints it. */
export function keyLabel(key: string, platform: string): string {
  if (key !== 'Mod') return key;
  return isApplePlatform(platform) ? '⌘' : $localize`:key|:Ctrl`;
}

/** Whether keys typed there are text and not commands. */
export function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]');
}
