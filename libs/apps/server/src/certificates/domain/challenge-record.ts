/** TTL of challenge records: short, because a certificate authority may ask again after a change. */
export const CHALLENGE_TTL_SECONDS = 30;
