/** Local storage keys that belong to the device and contain no personal data. */
const DEVICE_SETTINGS = [
  'homeport.theme',
  'homeport.language',
  'homeport.wrap',
  'homeport.preview',
  'homeport.autosave',
  'homeport.folder-tree',
  'homeport.home-screen-hint',
  'homeport.sign-in-provider',
];

/**
 * Runs a task that clears local storage, then restores the device settings: the next user keeps theme and language, and
 * sees nothing else of the previous one.
 *
 * @param storage replaced in tests; throws when the browser blocks storage.
 */
export async function preserveDeviceSettings<T>(
  run: () => Promise<T>,
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage,
): Promise<T> {
  const settings = DEVICE_SETTINGS.map((key) => [key, read(storage, key)] as const);
  try {
    return await run();
  } finally {
    for (const [key, value] of settings) if (value !== null) write(storage, key, value);
  }
}

function read(storage: () => Pick<Storage, 'getItem'>, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    // Storage is blocked, so there are no settings to restore.
    return null;
  }
}

function write(storage: () => Pick<Storage, 'setItem'>, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // Storage is blocked, so the settings last until the page closes.
  }
}
