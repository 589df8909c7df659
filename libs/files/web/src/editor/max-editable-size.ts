const MOST_MIB = 2;

/** Larger texts are not edited: typing in them would lag. */
export const MAX_EDITABLE_BYTES = MOST_MIB * 1024 ** 2;

/** The same, for reading. */
export const MAX_EDITABLE_SIZE = `${MOST_MIB} MiB`;
