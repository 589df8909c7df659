/** The user and the group `nobody`. */
const NOBODY = 65_534;

/** Runs the work without the rights of root. The whole process loses them meanwhile, so the work must be short. */
export async function asUnprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
