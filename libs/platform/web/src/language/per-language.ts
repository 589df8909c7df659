import { type Language, language } from './language';

/** Makes a value at its first use and once a language: formats of `Intl` are dear, and modules run before it is known. */
export function perLanguage<T>(make: (language: Language) => T): () => T {
  const made = new Map<Language, T>();
  return () => {
    const current = language();
    const held = made.get(current) ?? make(current);
    made.set(current, held);
    return held;
  };
}
