/** Where the API keeps an app. */
export function appApiPath(id: string): string {
  return `/api/apps/${encodeURIComponent(id)}`;
}
