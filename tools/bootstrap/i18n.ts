import { catalogueOf, difference, languages, pasteable } from '../translation/catalogue.ts';
import { extractMessages } from '../translation/messages.ts';

// `npm run i18n`: prints what the catalogues lack, ready to paste.
const { messages, untranslated, early } = extractMessages();
for (const language of languages()) {
  const { missing, stale, placeholderMismatches } = difference(catalogueOf(language), messages);
  console.log(
    `${language}.json: ${missing.length} missing, ${stale.length} stale, ${placeholderMismatches.length} with other placeholders`,
  );
  if (missing.length > 0) console.log(`\nMissing:\n${pasteable(missing)}`);
  if (stale.length > 0) console.log(`\nStale:\n${stale.map((key) => `  ${JSON.stringify(key)}`).join('\n')}`);
  if (placeholderMismatches.length > 0)
    console.log(`\nOther placeholders:\n${placeholderMismatches.map((key) => `  ${key}`).join('\n')}`);
}
for (const { file, words } of untranslated) console.log(`${file}: not marked for translation: ${words}`);
for (const { file, words } of early) console.log(`${file}: asked for before the language is known: ${words}`);
