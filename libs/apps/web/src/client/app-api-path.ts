/** The API path of an app. */
export function appApiPath(id: string): string {
  return `/api/apps/${encodeURIComponent(id)}`;
}
