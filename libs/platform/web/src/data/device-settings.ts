/** Keys of local storage that belong to the device and say nothing about a person. */
const DEVICE_SETTINGS = ['homeport.theme', 'homeport.language', 'homeport.wrap', 'homeport.home-screen-hint'];

/**
 * Runs something that deletes local storage, and writes the settings of the device again: the next person finds the
 * theme and the language of this device, and nothing else.
 * @param storage replaced in tests; may throw where the browser blocks storage.
 */
export async function preserveDeviceSettings<T>(
  run: () => Promise<T>,
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage,
): Promise<T> {
  const kept = DEVICE_SETTINGS.map((key) => [key, read(storage, key)] as const);
  try {
    return await run();
  } finally {
    for (const [key, value] of kept) if (value !== null) write(storage, key, value);
  }
}

function read(storage: () => Pick<Storage, 'getItem'>, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    // Without storage there are no settings to keep.
    return null;
  }
}

function write(storage: () => Pick<Storage, 'setItem'>, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // The settings then last until the page closes.
  }
}
