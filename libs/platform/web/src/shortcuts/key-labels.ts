/** Whether the platform uses the Command key in place of Ctrl. */
export function isApplePlatform(platform: string): boolean {
  return /^(mac|iphone|ipad|ipod)/i.test(platform);
}

/** The label of a key on this platform. */
export function keyLabel(key: string, platform: string): string {
  if (key !== 'Mod') return key;
  return isApplePlatform(platform) ? '⌘' : $localize`:key|:Ctrl`;
}

/** Whether typing into the target enters text, so shortcuts must not trigger. */
export function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]');
}
