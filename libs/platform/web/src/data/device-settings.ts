/** Keys of local storage that belong to the device and say nothing about a person. */
const DEVICE_SETTINGS = ['homeport.theme', 'homeport.language', 'homeport.wrap', 'homeport.home-screen-hint'];

/**
 * Runs something that deletes local storage, and writes the settings of the device again: the next person finds the
 * theme and the language of this device, and nothing else.
 */
export async function keepingDeviceSettings<T>(run: () => Promise<T>): Promise<T> {
  const kept = DEVICE_SETTINGS.map((key) => [key, read(key)] as const);
  try {
    return await run();
  } finally {
    for (const [key, value] of kept) write(key, value);
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Without storage there are no settings to keep.
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value !== null) localStorage.setItem(key, value);
  } catch {
    // The settings then last until the page closes.
  }
}
