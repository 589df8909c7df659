/** Whether an app URL is the sign-in page, under either path. */
export function isSignInPath(url: string): boolean {
  return /^\/(login|signin)(?=$|[?#/])/.test(url);
}

/** The navigation state of the sign-in page after a sign-out, in place of the `reason` in the URL. */
export const SIGNED_OUT = { reason: 'signed-out' } as const;
