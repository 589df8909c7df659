/** An object of type `T` that is already encoded as JSON. */
export class EncodedJson<T extends object> {
  /** Exists for the type only. */
  declare readonly decoded: T;

  private constructor(readonly text: string) {}

  /**
   * Adds a member that is already encoded, such as a list that the database encoded.
   * @param rest the other members; at least one of them is not undefined.
   */
  static of<T extends object, N extends keyof T & string>(rest: Omit<T, N>, name: N, json: string): EncodedJson<T> {
    return new EncodedJson(`${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(name)}:${json}}`);
  }
}
