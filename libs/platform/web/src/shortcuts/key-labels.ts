/** Whether the platform uses the Command key in place of Ctrl. */
export function isApplePlatform(platform: string): boolean {
  return /^(mac|iphone|ipad|ipod)/i.test(platform);
}

/** The label of a key on this platform. */
export function keyLabel(key: string, platform: string): string {
  switch (key) {
    case 'Mod':
      return isApplePlatform(platform) ? '⌘' : $localize`:key|:Ctrl`;
    case 'Alt':
      return isApplePlatform(platform) ? '⌥' : 'Alt';
    case 'Shift':
      return $localize`:key|:Shift`;
    case 'Space':
      return $localize`:key|:Space`;
    case 'Del':
      return $localize`:key|:Del`;
    case 'Enter':
      return $localize`:key|:Enter`;
    default:
      return key;
  }
}

/** Whether typing into the target enters text, so shortcuts must not trigger. */
export function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select, [role="textbox"]');
  return target.isContentEditable || isField;
}
