/** The API states that a screen is tested in. */
export const STATES = ['loading', 'failed', 'empty', 'ready'] as const;
export type State = (typeof STATES)[number];
