import { delay } from '@homeport/platform/web';

/**
 * `copies`: cached server data; `drafts`: unsaved changes; `saves`: saved texts to send to the server; `deletions`:
 * deletions to send to the server; `folders`: empty folders, which the server does not store.
 */
const PURPOSES = ['copies', 'drafts', 'saves', 'deletions', 'folders'] as const;
export type PersonalDataPurpose = (typeof PURPOSES)[number];

const PREFIX = 'homeport.person.';
/** localStorage key of the database names, for browsers without `indexedDB.databases()`. */
const NAMES_KEY = 'homeport.databases';
/** A page that keeps a database open must not block a sign-out: the browser deletes the database later. */
const DELETE_TIMEOUT_MS = 3_000;

/**
 * Returns the name of the IndexedDB database for a user's data on this device, and records it for browsers that
 * cannot list databases. Sign-out finds only databases with such a name. Open them with `PersonalStore`.
 */
export function personalDatabaseName(purpose: PersonalDataPurpose, sub: string): string {
  const name = `${PREFIX}${purpose}.${sub}`;
  if (!('databases' in indexedDB)) recordName(name);
  return name;
}

/**
 * Deletes all personal databases on this device, except those that `isKept` accepts. Never rejects: where storage is
 * blocked, no data was stored.
 */
export async function deletePersonalData(isKept: (name: string) => boolean = () => false): Promise<void> {
  const names = (await databaseNames()).filter((name) => name.startsWith(PREFIX) && !isKept(name));
  await Promise.all(
    names.map((name) => Promise.race([deleteDatabase(name).catch(() => undefined), delay(DELETE_TIMEOUT_MS)])),
  );
}

/** Whether this device has data for this purpose, of any user. */
export async function hasPersonalData(purpose: PersonalDataPurpose): Promise<boolean> {
  return (await databaseNames()).some((name) => name.startsWith(`${PREFIX}${purpose}.`));
}

/** Matches all databases of one user. */
export function isDatabaseOf(sub: string): (name: string) => boolean {
  return (name) => PURPOSES.some((purpose) => name === `${PREFIX}${purpose}.${sub}`);
}

/** Matches databases with data that only this device has: unsaved changes, queued saves and empty folders. */
export function isDeviceOnlyDatabase(name: string): boolean {
  return (['drafts', 'saves', 'folders'] as const).some((purpose) => name.startsWith(`${PREFIX}${purpose}.`));
}

async function databaseNames(): Promise<readonly string[]> {
  try {
    if (!('databases' in indexedDB)) return recordedNames();
    return (await indexedDB.databases()).map(({ name }) => name ?? '');
  } catch {
    return [];
  }
}

function recordedNames(): readonly string[] {
  const names: unknown = JSON.parse(localStorage.getItem(NAMES_KEY) ?? '[]');
  return Array.isArray(names) ? names.map(String) : [];
}

function recordName(name: string): void {
  try {
    localStorage.setItem(NAMES_KEY, JSON.stringify([...new Set([...recordedNames(), name])]));
  } catch {
    // Storage may be blocked; then there is no database either.
  }
}

/** Empties the database first, so that its data is deleted even while another page keeps it open. */
async function deleteDatabase(name: string): Promise<void> {
  try {
    await clearDatabase(name);
  } finally {
    await resultOf(indexedDB.deleteDatabase(name));
  }
}

function clearDatabase(name: string): Promise<void> {
  const opening = indexedDB.open(name);
  // The database no longer exists and must not be created again.
  opening.onupgradeneeded = () => opening.transaction?.abort();
  return resultOf(opening).then(async (database) => {
    if (!database) return;
    const stores = [...database.objectStoreNames];
    const work = stores.length > 0 ? database.transaction(stores, 'readwrite') : undefined;
    await Promise.all(stores.map((store) => work && resultOf(work.objectStore(store).clear())));
    database.close();
  });
}

/** Resolves to the result of a request, undefined when it failed. */
function resultOf<T>(request: IDBRequest<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
  });
}
