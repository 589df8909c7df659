/** Whether a URL belongs to the API of this page's origin. */
export function isSameOriginApi(url: string, pageUrl: string): boolean {
  if (!URL.canParse(url, pageUrl)) return false;
  const target = new URL(url, pageUrl);
  return target.origin === new URL(pageUrl).origin && target.pathname.startsWith('/api/');
}
