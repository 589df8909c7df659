import type { ShortcutGroup } from '@homeport/platform/web';

/** The keys of the file list, for the help. */
export function gridShortcuts(): ShortcutGroup {
  return {
    heading: $localize`File list`,
    shortcuts: [
      { keys: ['↑', '↓'], label: $localize`Previous or next row` },
      { keys: ['Enter'], label: $localize`Open` },
      { keys: ['Backspace'], label: $localize`Open the parent folder` },
      { keys: ['Space'], label: $localize`Select or deselect` },
      { keys: ['Shift', '↓'], label: $localize`Extend the selection` },
      { keys: ['Mod', 'A'], label: $localize`Select all` },
      { keys: ['Alt', 'N'], label: $localize`New folder` },
      { keys: ['F2'], label: $localize`Rename` },
      { keys: ['Del'], label: $localize`Delete` },
    ],
  };
}
