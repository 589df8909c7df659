import type { Domain, DomainRecord, DomainStatus } from '@homeport/apps/contracts';
import type { StatusTone } from '@homeport/platform/web';

/** A state in words; the tone adds icon and color. */
export interface StateLabel {
  readonly words: string;
  readonly tone: StatusTone;
}

export function domainStatusLabel(status: DomainStatus): StateLabel {
  switch (status) {
    case 'pending':
      return { words: $localize`:domain|:Pending`, tone: 'busy' };
    case 'active':
      return { words: $localize`:domain|:Active`, tone: 'ok' };
    case 'attention':
      return { words: $localize`:domain|:Needs attention`, tone: 'bad' };
    case 'suspended':
      return { words: $localize`:domain|:Suspended`, tone: 'bad' };
    case 'released':
      return { words: $localize`:domain|:Released`, tone: 'quiet' };
  }
}

export function ownershipLabel({ ownership }: Pick<Domain, 'ownership'>): StateLabel {
  switch (ownership) {
    case 'pending':
      return { words: $localize`:ownership|:Not verified yet`, tone: 'busy' };
    case 'verified':
      return { words: $localize`:ownership|:Verified`, tone: 'ok' };
    case 'failing':
      return { words: $localize`:ownership|:TXT record missing`, tone: 'bad' };
    case 'lost':
      return { words: $localize`:ownership|:Lost`, tone: 'bad' };
  }
}

export function routingLabel({ routing, status }: Pick<Domain, 'routing' | 'status'>): StateLabel {
  const tone = status === 'pending' ? 'busy' : 'bad';
  switch (routing) {
    case 'here':
      return { words: $localize`:routing|:Visitors arrive here`, tone: 'ok' };
    case 'elsewhere':
      return { words: $localize`:routing|:Visitors do not arrive here`, tone };
    case 'partly':
      return { words: $localize`:routing|:Some visitors arrive elsewhere`, tone: 'bad' };
    case 'unknown':
      return { words: $localize`:routing|:Not known yet`, tone: 'busy' };
  }
}

export function certificateLabel({ certificate, status }: Pick<Domain, 'certificate' | 'status'>): StateLabel {
  switch (certificate) {
    case 'none':
      // A domain is active without one only where this installation issues none.
      return status === 'active'
        ? { words: $localize`:certificate|:Not issued by this installation`, tone: 'quiet' }
        : { words: $localize`:certificate|:Issued when the records are right`, tone: 'quiet' };
    case 'ordering':
      return { words: $localize`:certificate|:Being issued`, tone: 'busy' };
    case 'active':
      return { words: $localize`:certificate|:Active`, tone: 'ok' };
    case 'renewing':
      return { words: $localize`:certificate|:Active, being renewed`, tone: 'ok' };
    case 'failed':
      return { words: $localize`:certificate|:Could not be issued`, tone: 'bad' };
  }
}

/** @param status of the domain: a record of a new one is not there yet, that of another one is missing. */
export function recordStateLabel({ state }: Pick<DomainRecord, 'state'>, status: DomainStatus): StateLabel {
  switch (state) {
    case 'found':
      return { words: $localize`:record|:Found`, tone: 'ok' };
    case 'missing':
      return status === 'pending'
        ? { words: $localize`:record|:Not found yet`, tone: 'busy' }
        : { words: $localize`:record|:Missing`, tone: 'bad' };
    case 'wrong':
      return { words: $localize`:record|:Wrong value`, tone: 'bad' };
  }
}

/** What a record is for. */
export function recordPurposeLabel({ purpose }: Pick<DomainRecord, 'purpose'>): string {
  switch (purpose) {
    case 'ownership':
      return $localize`Proves that the domain is yours`;
    case 'routing':
      return $localize`Leads visitors here`;
    case 'challenge':
      return $localize`Lets the certificate be issued and renewed`;
  }
}
