const MIB = 1024 * 1024;

/** What the server takes. It has the last word; here they are known before anything is sent. */
export const DEPLOY_LIMITS = {
  /** Bytes of the archive. */
  sent: 100 * MIB,
  /** Bytes of all files. */
  unpacked: 500 * MIB,
  files: 20_000,
  /** Bytes of one file. */
  file: 50 * MIB,
} as const;
