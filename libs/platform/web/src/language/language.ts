/** The languages there are, each by its own name. The first one is what the source is written in. */
export const LANGUAGES = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
] as const;

/** As BCP 47 writes it, for `Intl` and the `lang` attribute. */
export type Language = (typeof LANGUAGES)[number]['id'];
/** A language that has to be fetched. */
export type TranslatedLanguage = Exclude<Language, 'en'>;

const STORAGE_KEY = 'homeport.language';

/** The language this page is in. It is settled before anything is shown, and stays until the page is loaded again. */
export function language(): Language {
  return supportedLanguage($localize.locale) ?? 'en';
}

/** The language the person chose on this device, or else the first of the browser's that we have. */
export function preferredLanguage(): Language {
  return storedLanguage() ?? firstSupported(navigator.languages) ?? 'en';
}

/** The first of some language tags that there is: `de-AT` counts as `de`. */
export function firstSupported(tags: readonly string[]): Language | undefined {
  return tags.map((tag) => supportedLanguage(tag.split('-')[0]?.toLowerCase())).find((id) => id !== undefined);
}

/** Keeps the choice for the next start. False: storage is closed, so it cannot be kept. */
export function storeLanguage(choice: Language): boolean {
  try {
    localStorage.setItem(STORAGE_KEY, choice);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes this the language of the page, once `load` has brought its catalogue. What cannot be loaded leaves the page in
 * English: words in another language are better than none.
 */
export async function loadLanguage(
  wanted: Language,
  load: Readonly<Record<TranslatedLanguage, () => Promise<void>>>,
): Promise<void> {
  let spoken: Language = 'en';
  try {
    if (wanted !== 'en') await load[wanted]();
    spoken = wanted;
  } catch {
    // Said by the page being in English; the next start tries again.
  }
  $localize.locale = spoken;
  document.documentElement.lang = spoken;
}

function storedLanguage(): Language | undefined {
  try {
    return supportedLanguage(localStorage.getItem(STORAGE_KEY));
  } catch {
    return undefined;
  }
}

function supportedLanguage(tag: string | null | undefined): Language | undefined {
  return LANGUAGES.find(({ id }) => id === tag)?.id;
}
