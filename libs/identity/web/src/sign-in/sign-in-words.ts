/** What the sign-in page says for each way of getting there; provider-neutral throughout. */
export interface SignInOccasion {
  readonly invite?: string;
  readonly reason?: string;
  readonly error?: string;
}

export interface SignInWords {
  readonly heading: string;
  readonly text: string;
  readonly failure?: string;
}

const REASONS = new Map<string, SignInWords>([
  ['expired', { heading: 'Sign in again', text: 'Your session has ended. Sign in to go on where you were.' }],
  [
    'access',
    {
      heading: 'Sign in for access',
      text: 'What you opened is for members. Sign in with the account that has access.',
    },
  ],
]);

export function signInWords({ invite, reason, error }: SignInOccasion, product: string): SignInWords {
  const words = invite
    ? { heading: 'You are invited', text: `Sign in to join your team on ${product}.` }
    : (REASONS.get(reason ?? '') ?? { heading: `Sign in to ${product}`, text: 'Choose where you have your account.' });
  return error ? { ...words, failure: failureWords(error) } : words;
}

/** By the code the server sends back with a failed sign-in. */
const FAILURES = new Map([
  ['access_denied', 'Sign-in was cancelled or refused. Try again, or choose the other account.'],
  ['expired', 'This sign-in took too long, or was finished in another tab. Start again.'],
  ['busy', 'Too many sign-ins were started from your network. Wait a minute, then try again.'],
  ['unavailable', 'The sign-in service does not answer right now. Try again in a few seconds.'],
]);

function failureWords(error: string): string {
  return FAILURES.get(error) ?? 'Sign-in did not work. Try again; if it fails again, ask whoever runs this site.';
}
