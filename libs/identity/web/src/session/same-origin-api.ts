/** Whether a call goes to the API of the very origin this page came from. */
export function isSameOriginApi(url: string, pageUrl: string): boolean {
  if (!URL.canParse(url, pageUrl)) return false;
  const target = new URL(url, pageUrl);
  return target.origin === new URL(pageUrl).origin && target.pathname.startsWith('/api/');
}
