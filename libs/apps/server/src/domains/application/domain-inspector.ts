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
    const required = requiredRecords(claim, this.#targets(own));
    const answers = await Promise.all(required.map(({ name, type }) => this.resolver.askAll(name, type)));
    const routing = this.#routing(required, answers, routingOf(addresses, own));
    const stray = own.outcome === 'found' ? addresses.values.filter((each) => !own.values.includes(each)) : [];
    const records = await Promise.all(
      required.map((record, i) => this.#toRecord(claim, record, { answers: answers[i]!, stray })),
    );
    return { proof: proofOf(answers[0]!, required[0]!.value), routing, records };
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

  /** A CNAME record to our host leads here, whatever its addresses are at this moment. */
  #routing(
    required: readonly RequiredRecord[],
    answers: readonly (readonly ServerAnswer[])[],
    byAddress: DomainRouting,
  ): DomainRouting {
    const i = required.findIndex(({ purpose, type }) => purpose === 'routing' && type === 'CNAME');
    if (i < 0) return byAddress;
    const proof = proofOf(answers[i]!, required[i]!.value);
    if (proof === 'present' && byAddress !== 'partly') return 'here';
    const leadsElsewhere = answers[i]!.some(({ outcome }) => outcome === 'found');
    return byAddress === 'unknown' && proof === 'absent' && leadsElsewhere ? 'elsewhere' : byAddress;
  }

  async #toRecord(
    claim: ClaimedName,
    record: RequiredRecord,
    { answers, stray }: { readonly answers: readonly ServerAnswer[]; readonly stray: readonly string[] },
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

/** A name that visitors can open: below a base domain, one that only a wildcard record answers. */
function visitedNameOf({ kind, name, token }: ClaimedName): string {
  return kind === 'base' ? `check-${token.slice(0, 8)}.${name}` : name;
}
