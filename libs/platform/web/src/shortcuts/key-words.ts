/** Whether this device has a Command key where others have Ctrl. */
export function isApple(platform: string): boolean {
  return /^(mac|iphone|ipad|ipod)/i.test(platform);
}

/** A key as this device prints it. */
export function keyWord(key: string, platform: string): string {
  if (key !== 'Mod') return key;
  return isApple(platform) ? '⌘' : $localize`:key|:Ctrl`;
}

/** Whether keys typed there are text and not commands. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]');
}
