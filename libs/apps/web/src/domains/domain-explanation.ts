import type { Domain } from '@homeport/apps/contracts';

/** The state of a domain in a sentence, and what the person does next. */
export interface DomainExplanation {
  readonly words: string;
  /** Absent when nothing has to be done. */
  readonly next?: string;
}

/** @param appName of a host name; undefined while it is unknown, and for base domains. */
export function domainExplanation(domain: Domain, appName?: string): DomainExplanation {
  switch (domain.status) {
    case 'active':
      return activeDomain(domain, appName);
    case 'pending':
      return domain.ownership === 'pending' ? unverified(domain) : incomplete(domain);
    case 'attention':
      return domain.ownership === 'failing' ? failing() : incomplete(domain);
    case 'suspended':
      return {
        words: $localize`Visitors see “Not found”, because the TXT record has been missing for 7 days.`,
        next: $localize`Create the TXT record below again, then check now. After 30 days without it, the domain is removed.`,
      };
    case 'released':
      return { words: $localize`The domain does not belong to your organization any more.` };
  }
}

function activeDomain({ kind, name, app_id, redirect_to }: Domain, appName: string | undefined): DomainExplanation {
  if (kind === 'hostname' && app_id === null) {
    return {
      words: $localize`The app of this domain was deleted, so visitors see “Not found”.`,
      next: $localize`Add the same name to another app, or remove the domain.`,
    };
  }
  if (redirect_to !== null) return { words: $localize`Visitors are redirected to ${redirect_to}:target:.` };
  if (kind === 'base') return { words: $localize`All apps of your organization open below ${name}:domain:.` };
  return appName === undefined
    ? { words: $localize`Visitors of ${name}:domain: see the app.` }
    : { words: $localize`Visitors of ${name}:domain: see ${appName}:app:.` };
}

function unverified({ records }: Domain): DomainExplanation {
  // The proof is there, and does not count as long as another organization has one too.
  if (records.some(({ purpose, state }) => purpose === 'ownership' && state === 'found')) {
    return {
      words: $localize`Your TXT record is in place, but another organization has verified the name and still has its own.`,
      next: $localize`Remove the other TXT record at this name. The domain then becomes yours at the next check.`,
    };
  }
  // A domain without name servers is new, or its name is misspelled, which the hint says.
  if (records.some(({ state, hint, seen }) => state === 'wrong' || (hint !== null && seen.length > 0))) {
    return {
      words: $localize`Not all records are right yet.`,
      next: $localize`Fix the records marked below. They are checked automatically.`,
    };
  }
  return {
    words: $localize`Waiting for your DNS records.`,
    next: $localize`Create the records below at your DNS provider. They are usually found within minutes; some providers need up to a day.`,
  };
}

/** The ownership is verified; something else is missing. */
function incomplete({ name, kind, routing, certificate }: Domain): DomainExplanation {
  const shown = kind === 'base' ? `*.${name}` : name;
  if (routing !== 'here') {
    const words = {
      unknown: $localize`The domain is yours, but where it leads is not known yet.`,
      elsewhere: $localize`The domain is yours, but visitors of ${shown}:domain: do not arrive here.`,
      partly: $localize`Some visitors of ${shown}:domain: do not arrive here.`,
    }[routing];
    return { words, next: $localize`Create or fix the records marked below. They are checked automatically.` };
  }
  if (certificate === 'failed') {
    return {
      words: $localize`The records are right, but the certificate could not be issued.`,
      next: $localize`It is tried again automatically. Check that no CAA record of the domain forbids it.`,
    };
  }
  return { words: $localize`The records are right. The certificate is being issued, which usually takes a minute.` };
}

function failing(): DomainExplanation {
  return {
    words: $localize`The TXT record that proves your ownership is missing. The domain still works, and is suspended after 7 days.`,
    next: $localize`Create the TXT record below again.`,
  };
}
