import { computed, signal, type Signal } from '@angular/core';
import { mediaQuery } from '../../browser/media-query';

const STORAGE_KEY = 'homeport.preview';
/** Narrower screens show either the text or its preview. */
const WIDE = '(min-width: 1000px)';

export interface PreviewMode {
  readonly isWide: Signal<boolean>;
  readonly isShown: Signal<boolean>;
  toggle(): void;
}

/**
 * Whether the editor shows a preview: on wide screens beside the text, which is remembered on this device; on narrow
 * screens instead of it. Requires an injection context.
 */
export function previewMode(): PreviewMode {
  const isWide = mediaQuery(WIDE);
  const beside = signal(stored());
  const instead = signal(false);
  return {
    isWide,
    isShown: computed(() => (isWide() ? beside() : instead())),
    toggle: () => {
      if (!isWide()) return instead.update((on) => !on);
      beside.update((on) => !on);
      try {
        localStorage.setItem(STORAGE_KEY, beside() ? 'on' : 'off');
      } catch {
        // When storage is blocked, the setting lasts until the page closes.
      }
    },
  };
}

function stored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'on';
  } catch {
    return false;
  }
}
