/** Where the API keeps an app. */
export function appAddress(id: string): string {
  return `/api/apps/${encodeURIComponent(id)}`;
}
