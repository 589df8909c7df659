/** Builds the key with which the client looks up the message. */
export function catalogueKey(text: string, meaning: string | undefined): string {
  const source = text.replace(/[ \n\t]+/g, ' ').trim();
  return meaning ? `${meaning}|${source}` : source;
}
