/** The query parameters that decide the text of the sign-in page. The text names no provider. */
export interface SignInContext {
  readonly invite?: string;
  readonly reason?: string;
  readonly error?: string;
}

export interface SignInMessages {
  readonly heading: string;
  readonly text: string;
  readonly failure?: string;
}

const reasonMessages = (): ReadonlyMap<string, SignInMessages> =>
  new Map([
    [
      'expired',
      {
        heading: $localize`Sign in again`,
        text: $localize`Your session has ended: it expired, or it was ended on another device. Sign in to continue where you left off.`,
      },
    ],
    [
      'signed-out',
      {
        heading: $localize`You are signed out`,
        text: $localize`Your data was removed from this browser. To sign in again, choose where you have your account.`,
      },
    ],
    [
      'access',
      {
        heading: $localize`Sign in for access`,
        text: $localize`Only members can open this page. Sign in with an account that has access.`,
      },
    ],
  ]);

export function signInMessages({ invite, reason, error }: SignInContext, product: string): SignInMessages {
  const messages = invite
    ? { heading: $localize`You are invited`, text: $localize`Sign in to join your team on ${product}:product:.` }
    : (reasonMessages().get(reason ?? '') ?? {
        heading: $localize`Sign in to ${product}:product:`,
        text: $localize`Host your apps and keep your files, in one place.`,
      });
  return error ? { ...messages, failure: failureMessage(error) } : messages;
}

/** Keyed by the error code that the server adds to the URL after a failed sign-in. */
const failureMessages = (): ReadonlyMap<string, string> =>
  new Map([
    ['access_denied', $localize`Sign-in was cancelled or refused. Try again, or choose another account.`],
    ['expired', $localize`This sign-in took too long, or was finished in another tab. Start again.`],
    ['busy', $localize`Too many sign-ins were started from your network. Wait a minute, then try again.`],
    ['unavailable', $localize`The sign-in service does not answer right now. Try again in a few seconds.`],
  ]);

function failureMessage(error: string): string {
  return (
    failureMessages().get(error) ??
    $localize`Sign-in failed. Try again; if it fails again, contact the operator of this site.`
  );
}
