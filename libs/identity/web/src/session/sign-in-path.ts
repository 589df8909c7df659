/** Whether an address of ours is the sign-in page, under either of its names. */
export function isSignInPath(url: string): boolean {
  return /^\/(login|signin)(?=$|[?#/])/.test(url);
}
