/** So that parts are tried without 64 MiB. */
export const LOW_MULTIPART_THRESHOLD = { multipartThresholdBytes: 8 * 1024 * 1024 };
