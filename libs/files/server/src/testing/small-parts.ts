/** So that parts are tried without 64 MiB. */
export const SMALL_PARTS = { onePieceBytes: 8 * 1024 * 1024 };
