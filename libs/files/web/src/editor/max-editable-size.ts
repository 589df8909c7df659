const MAX_MIB = 2;

/** Larger texts cannot be edited: typing would be slow. */
export const MAX_EDITABLE_BYTES = MAX_MIB * 1024 ** 2;

/** The same limit, as text. */
export const MAX_EDITABLE_SIZE = `${MAX_MIB} MiB`;
