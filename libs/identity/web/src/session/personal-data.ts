/** `copies` of what the server has; `drafts` of what it has not yet; `deletions` of what it is to have no more. */
const PURPOSES = ['copies', 'drafts', 'deletions'] as const;
export type PersonalDataPurpose = (typeof PURPOSES)[number];

const PREFIX = 'homeport.person.';
/** Names, for browsers that cannot list what they hold. */
const NAMES_KEY = 'homeport.databases';
/** A page that does not let go of a database must not keep somebody from leaving: the browser deletes it later. */
const DELETE_TIMEOUT_MS = 3_000;

/**
 * The name of the IndexedDB database in which a domain keeps something of a person on this device. Only databases with
 * such a name are found when the person leaves; `PersonalStore` opens them as it has to be done.
 */
export function personalDatabaseName(purpose: PersonalDataPurpose, sub: string): string {
  const name = `${PREFIX}${purpose}.${sub}`;
  if (!('databases' in indexedDB)) recordName(name);
  return name;
}

/**
 * Deletes what is kept of people on this device, but for the databases to keep. Resolves when it is gone, and never
 * rejects: where storage is closed, nothing was kept.
 */
export async function deletePersonalData(isKept: (name: string) => boolean = () => false): Promise<void> {
  const names = (await databaseNames()).filter((name) => name.startsWith(PREFIX) && !isKept(name));
  await Promise.all(
    names.map((name) => Promise.race([deleteDatabase(name).catch(() => undefined), delay(DELETE_TIMEOUT_MS)])),
  );
}

/** Whether this device keeps such data of anybody. */
export async function hasPersonalData(purpose: PersonalDataPurpose): Promise<boolean> {
  return (await databaseNames()).some((name) => name.startsWith(`${PREFIX}${purpose}.`));
}

/** All that is kept of one person. */
export function isDatabaseOf(sub: string): (name: string) => boolean {
  return (name) => PURPOSES.some((purpose) => name === `${PREFIX}${purpose}.${sub}`);
}

/** What the server does not have yet. */
export function isDraftDatabase(name: string): boolean {
  return name.startsWith(`${PREFIX}drafts.`);
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
    // Storage may be closed: then there is no database either.
  }
}

/** Empties the database first: what was in it is gone even while another page still holds it open. */
async function deleteDatabase(name: string): Promise<void> {
  try {
    await clearDatabase(name);
  } finally {
    await resultOf(indexedDB.deleteDatabase(name));
  }
}

function clearDatabase(name: string): Promise<void> {
  const opening = indexedDB.open(name);
  // It does not exist any more, and is not to come into being now.
  opening.onupgradeneeded = () => opening.transaction?.abort();
  return resultOf(opening).then(async (database) => {
    if (!database) return;
    const stores = [...database.objectStoreNames];
    const work = stores.length > 0 ? database.transaction(stores, 'readwrite') : undefined;
    await Promise.all(stores.map((store) => work && resultOf(work.objectStore(store).clear())));
    database.close();
  });
}

/** The result of a request, undefined when it failed. */
function resultOf<T>(request: IDBRequest<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
  });
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
