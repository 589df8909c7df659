/** Whether an app URL is the sign-in page, under either path. */
export function isSignInPath(url: string): boolean {
  return /^\/(login|signin)(?=$|[?#/])/.test(url);
}
