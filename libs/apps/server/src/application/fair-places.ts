/** So many places, of which nobody may have more than a share. */
export class FairPlaces {
  readonly #taken = new Map<string, number>();
  #all = 0;

  /** @param most there are in all. @param mostOfOne of them, those that one owner may have. */
  constructor(
    private readonly most: number,
    private readonly mostOfOne: number,
  ) {}

  /** @returns what gives the place back, to be called once; undefined when there is none for this owner. */
  take(owner: string): (() => void) | undefined {
    const own = this.#taken.get(owner) ?? 0;
    if (this.#all >= this.most || own >= this.mostOfOne) return undefined;
    this.#all += 1;
    this.#taken.set(owner, own + 1);
    return () => this.#leave(owner);
  }

  #leave(owner: string): void {
    const left = (this.#taken.get(owner) ?? 0) - 1;
    this.#all -= 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}
