/** Seals the values of variables, so that only runtimes with the same keys read them. */
export abstract class VariableSealer {
  /** @param place the variable that the value belongs to; it cannot be opened for another one. */
  abstract seal(
    value: string,
    place: { readonly appId: string; readonly name: string; readonly scope: string },
  ): Uint8Array;
}
