import { InMemoryChallengeZone } from '../../certificates/adapters/memory/in-memory-challenge-zone';

/** Sets the values of a record of a name server. No values remove it. */
export type SetRecord = (name: string, type: string, values: readonly string[]) => Promise<void>;

/** A challenge zone whose values a name server of the test serves. */
export class PracticeChallengeZone extends InMemoryChallengeZone {
  constructor(private readonly setRecord: SetRecord) {
    super();
  }

  override async add(name: string, value: string, signal: AbortSignal): Promise<void> {
    await super.add(name, value, signal);
    await this.setRecord(name, 'TXT', this.valuesOf(name));
  }

  override async remove(name: string, value: string, signal: AbortSignal): Promise<void> {
    await super.remove(name, value, signal);
    await this.setRecord(name, 'TXT', this.valuesOf(name));
  }
}
