/** Lets tests use multipart uploads with small objects. */
export const LOW_MULTIPART_THRESHOLD = { multipartThresholdBytes: 8 * 1024 * 1024 };
