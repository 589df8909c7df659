import type { DomainRecord, DomainRouting, SeenAnswer } from '@homeport/apps/contracts';
import { proofOf, recordStateOf, routingOf } from '../domain/domain-answers';
import type { DomainFinding, OwnershipProof } from '../domain/domain-claim';
import { hintFor, type RecordCircumstances } from '../domain/record-hints';
import {
  type ClaimedName,
  misplacedNames,
  ownershipRecord,
  type RecordTargets,
  requiredRecords,
  type RequiredRecord,
} from '../domain/required-records';
import { type CaaRecords, findCaaRecords, findForbiddingAnswer } from './caa-records';
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
  /** How CAA records name our certificate authority. Default: this installation gets no certificates. */
  readonly caaIdentities?: () => Promise<readonly string[]>;
}

/** Looks at the records of a claim on every name server. */
export class DomainInspector {
  constructor(
    private readonly resolver: DomainResolver,
    private readonly options: DomainInspectorOptions,
  ) {}

  async inspect(claim: ClaimedName): Promise<Inspection> {
    const [own, found, caa] = await Promise.all([
      this.resolver.addressesOf(this.options.cdnHostname),
      this.resolver.addressesOf(visitedNameOf(claim)),
      this.#forbiddingCaa(claim),
    ]);
    const asked = await Promise.all(
      requiredRecords(claim, this.#targets(own)).map(async (required) => ({
        required,
        answers: await this.resolver.askAll(required.name, required.type),
      })),
    );
    const addresses = {
      here: found.values.filter((each) => own.values.includes(each)),
      elsewhere: own.outcome === 'found' ? found.values.filter((each) => !own.values.includes(each)) : [],
    };
    const records = await Promise.all(asked.map((record) => this.#toRecord(claim, record, addresses)));
    const ownership = asked.find(({ required }) => required.purpose === 'ownership');
    return {
      proof: ownership ? proofOf(ownership.answers, ownership.required.value) : 'unknown',
      routing: routingFrom(asked, routingOf(found, own)),
      records: [...records, ...caa],
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
    addresses: RecordCircumstances['addresses'],
  ): Promise<DomainRecord> {
    const state = recordStateOf(answers, record.value);
    const seen = answers.map(toSeen);
    const hint = hintFor(record, {
      state,
      seen,
      answered: answers.filter(({ outcome }) => outcome !== 'unknown').length,
      misplacedAt: state === 'missing' ? await this.#findMisplaced(claim, record) : undefined,
      addresses: record.purpose === 'routing' ? addresses : { here: [], elsewhere: [] },
    });
    return { ...record, state, seen, hint };
  }

  /** Looks where the mistakes of DNS forms put a record. */
  async #findMisplaced(claim: ClaimedName, record: RequiredRecord): Promise<string | undefined> {
    const places = misplacedNames(claim, record);
    const answers = await Promise.all(places.map((place) => this.resolver.askAll(place, record.type)));
    return places.find((_, i) => answers[i]?.some(({ values }) => values.includes(record.value)));
  }

  /** The CAA record that the owner has to add when those of the name forbid our authorities to issue. */
  async #forbiddingCaa({ kind, name }: ClaimedName): Promise<readonly DomainRecord[]> {
    // Best-effort: an authority that does not answer now is no fault of the domain.
    const identities = (await this.options.caaIdentities?.().catch(() => undefined)) ?? [];
    if (identities.length === 0) return [];
    const found = await findCaaRecords(this.resolver, name);
    const forbidding = found && findForbiddingAnswer(found, identities, [kind === 'base' ? `*.${name}` : name]);
    return found && forbidding ? [caaRecord(found, forbidding, { kind, authority: identities[0] ?? '' })] : [];
  }
}

function caaRecord(
  { place, answers }: CaaRecords,
  { values }: ServerAnswer,
  { kind, authority }: Pick<ClaimedName, 'kind'> & { readonly authority: string },
): DomainRecord {
  const property = kind === 'base' && values.some((value) => value.startsWith('issuewild ')) ? 'issuewild' : 'issue';
  const hint = `The CAA records at "${place}" forbid our certificate authority to issue. Add one more CAA record with the value above.`;
  const record = { type: 'CAA', name: place, value: `0 ${property} "${authority}"`, purpose: 'challenge' } as const;
  return { ...record, state: 'wrong', seen: answers.map(toSeen), hint };
}

function toSeen({ server, values }: ServerAnswer): SeenAnswer {
  return { server, answer: values };
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
