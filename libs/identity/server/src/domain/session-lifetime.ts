const DAY_MS = 24 * 60 * 60_000;

/** A session ends this long after sign-in, even if it is used. */
export const MAX_SESSION_MS = 30 * DAY_MS;
/** The use of a session is recorded at most this often by one instance. */
export const USE_INTERVAL_MS = 30_000;
/** A session ends after this long without use. */
export const MAX_IDLE_MS = 7 * DAY_MS;
