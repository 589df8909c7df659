import type { DomainRecord, DomainRouting } from '@homeport/apps/contracts';
import { proofOf, recordStateOf, routingOf } from '../domain/domain-answers';
import type { DomainFinding, OwnershipProof } from '../domain/domain-claim';
import { registrableDomainOf } from '../domain/domain-rules';
import { hintFor } from '../domain/record-hints';
import {
  type ClaimedName,
  ownershipRecord,
  type RecordTargets,
  requiredRecords,
  type RequiredRecord,
} from '../domain/required-records';
import type { DomainResolver, ServerAnswer } from './domain-resolver.port';

export interface Inspection extends DomainFinding {
  readonly records: readonly DomainRecord[];
}

interface AskedRecord {
  readonly required: RequiredRecord;
  /** One for each server. */
  readonly answers: readonly ServerAnswer[];
}

export interface DomainInspectorOptions {
  readonly cdnHostname: string;
  readonly challengeZone: string | undefined;
}

/** Looks at the records of a claim on every name server. */
export class DomainInspector {
  constructor(
    private readonly resolver: DomainResolver,
    private readonly options: DomainInspectorOptions,
  ) {}

  async inspect(claim: ClaimedName): Promise<Inspection> {
    const [own, addresses] = await Promise.all([
      this.resolver.addressesOf(this.options.cdnHostname),
      this.resolver.addressesOf(visitedNameOf(claim)),
    ]);
    const asked = await Promise.all(
      requiredRecords(claim, this.#targets(own)).map(async (required) => ({
        required,
        answers: await this.resolver.askAll(required.name, required.type),
      })),
    );
    const stray = own.outcome === 'found' ? addresses.values.filter((each) => !own.values.includes(each)) : [];
    const records = await Promise.all(asked.map((record) => this.#toRecord(claim, record, stray)));
    const ownership = asked.find(({ required }) => required.purpose === 'ownership');
    return {
      proof: ownership ? proofOf(ownership.answers, ownership.required.value) : 'unknown',
      routing: routingFrom(asked, routingOf(addresses, own)),
      records,
    };
  }

  /** Looks at the ownership record alone. */
  async proofOf(claim: Pick<ClaimedName, 'name' | 'token'>): Promise<OwnershipProof> {
    const { name, type, value } = ownershipRecord(claim);
    return proofOf(await this.resolver.askAll(name, type), value);
  }

  /** The records as they are to be created, before the first check. */
  async recordsToCreate(claim: ClaimedName): Promise<readonly DomainRecord[]> {
    const own = await this.resolver.addressesOf(this.options.cdnHostname);
    return requiredRecords(claim, this.#targets(own)).map((record) => ({
      ...record,
      state: 'missing',
      seen: [],
      hint: null,
    }));
  }

  #targets(own: Pick<ServerAnswer, 'values'>): RecordTargets {
    return { ...this.options, cdnAddresses: own.values };
  }

  async #toRecord(
    claim: ClaimedName,
    { required: record, answers }: AskedRecord,
    stray: readonly string[],
  ): Promise<DomainRecord> {
    const state = recordStateOf(answers, record.value);
    const seen = answers.map(({ server, values }) => ({ server, answer: values }));
    const hint = hintFor(record, {
      name: claim.name,
      state,
      seen,
      answered: answers.filter(({ outcome }) => outcome !== 'unknown').length,
      misplacedAt: state === 'missing' ? await this.#findMisplaced(claim, record) : undefined,
      strayAddresses: record.purpose === 'routing' ? stray : [],
    });
    return { ...record, state, seen, hint };
  }

  /** Looks where the mistakes of DNS forms put the ownership record. */
  async #findMisplaced({ name }: ClaimedName, record: RequiredRecord): Promise<string | undefined> {
    if (record.purpose !== 'ownership') return undefined;
    for (const place of [`${record.name}.${registrableDomainOf(name) ?? name}`, name]) {
      const answers = await this.resolver.askAll(place, 'TXT');
      if (answers.some(({ values }) => values.includes(record.value))) return place;
    }
    return undefined;
  }
}

/** A CNAME record to our host leads here, even while the addresses of our host change. */
function routingFrom(asked: readonly AskedRecord[], byAddress: DomainRouting): DomainRouting {
  const alias = asked.find(({ required: { purpose, type } }) => purpose === 'routing' && type === 'CNAME');
  if (alias === undefined) return byAddress;
  const proof = proofOf(alias.answers, alias.required.value);
  if (proof === 'present' && byAddress !== 'partly') return 'here';
  const leadsElsewhere = alias.answers.some(({ outcome }) => outcome === 'found');
  return byAddress === 'unknown' && proof === 'absent' && leadsElsewhere ? 'elsewhere' : byAddress;
}

/** A name that visitors can open: below a base domain, one that only a wildcard record answers. */
function visitedNameOf({ kind, name, token }: ClaimedName): string {
  return kind === 'base' ? `check-${token.slice(0, 8)}.${name}` : name;
}
