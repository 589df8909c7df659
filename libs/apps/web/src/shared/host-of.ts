/** The host name in an address, without the port that only development has. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}
