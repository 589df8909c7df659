import { ChallengeZone } from '../../application/challenge-zone.port';

/** A challenge zone in memory, for tests. */
export class InMemoryChallengeZone extends ChallengeZone {
  readonly #values = new Map<string, Set<string>>();

  async add(name: string, value: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const values = this.#values.get(name) ?? new Set();
    this.#values.set(name, values.add(value));
  }

  async remove(name: string, value: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#values.get(name)?.delete(value);
  }

  /** The values that the zone serves at a name. */
  valuesOf(name: string): readonly string[] {
    return [...(this.#values.get(name) ?? [])];
  }
}
