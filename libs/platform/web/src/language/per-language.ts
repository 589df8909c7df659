import { type Language, language } from './language';

/**
 * Creates a value lazily, once per language: `Intl` formatters are expensive, and modules run before the language is
 * set.
 */
export function perLanguage<T>(make: (language: Language) => T): () => T {
  const values = new Map<Language, T>();
  return () => {
    const current = language();
    const value = values.get(current) ?? make(current);
    values.set(current, value);
    return value;
  };
}
