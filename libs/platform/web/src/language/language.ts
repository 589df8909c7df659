/** The supported languages, each with its native name. The source is written in the first one. */
export const LANGUAGES = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
] as const;

/** BCP 47 tag, for `Intl` and the `lang` attribute. */
export type Language = (typeof LANGUAGES)[number]['id'];
/** A language whose catalogue must be loaded. */
export type TranslatedLanguage = Exclude<Language, 'en'>;

const STORAGE_KEY = 'homeport.language';

/** The language of this page. It is set before the first render and does not change until a reload. */
export function language(): Language {
  return supportedLanguage($localize.locale) ?? 'en';
}

/** The language chosen on this device, or the first supported language of the browser. */
export function preferredLanguage(): Language {
  return storedLanguage() ?? firstSupported(navigator.languages) ?? 'en';
}

/** The first supported language of a list of tags: `de-AT` counts as `de`. */
export function firstSupported(tags: readonly string[]): Language | undefined {
  return tags.map((tag) => supportedLanguage(tag.split('-')[0]?.toLowerCase())).find((id) => id !== undefined);
}

/**
 * The locale of dates: the region of the browser, if it is one of the language of the page. A British reader gets
 * "12 Nov", not "Nov 12".
 */
export function dateLocale(current: Language, tags: readonly string[] = navigator.languages): string {
  return tags.find((tag) => firstSupported([tag]) === current) ?? current;
}

/** Stores the language for the next start. @returns false when the browser blocks storage. */
export function storeLanguage(choice: Language): boolean {
  try {
    localStorage.setItem(STORAGE_KEY, choice);
    return true;
  } catch {
    return false;
  }
}

/** Sets the language of the page after `load` has loaded its catalogue; the page stays English when that fails. */
export async function loadLanguage(
  wanted: Language,
  load: Readonly<Record<TranslatedLanguage, () => Promise<void>>>,
): Promise<void> {
  let loaded: Language = 'en';
  try {
    if (wanted !== 'en') await load[wanted]();
    loaded = wanted;
  } catch {
    // The page is English then; the next start tries again.
  }
  $localize.locale = loaded;
  document.documentElement.lang = loaded;
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
