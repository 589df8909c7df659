import type { Domain } from '@homeport/api-client';
import { dayOf, minuteOf, table } from '../terminal/format';

/** The records to create, as a table. */
export function recordLines({ records }: Pick<Domain, 'records'>): string[] {
  return table(
    ['TYPE', 'NAME', 'VALUE', 'STATE'],
    records.map(({ type, name, value, state }) => [type, name, value, state]),
  );
}

export function domainLines(domain: Domain): string[] {
  const { certificate, certificate_expires_at, id, kind, name, next_check_at, ownership, routing, status } = domain;
  const expiry = certificate_expires_at === null ? '' : `, expires ${dayOf(certificate_expires_at)}`;
  return [
    `${name} (${kind === 'base' ? 'base domain of all apps' : 'host name of one app'})`,
    `Status:       ${status}${domain.is_primary ? ', primary' : ''}`,
    `Ownership:    ${ownership}`,
    `Visitors:     ${VISITORS[routing]}`,
    `Certificate:  ${certificate}${expiry}`,
    ...(domain.redirect_to === null ? [] : [`Redirects to: ${domain.redirect_to}`]),
    ...(domain.hsts === 'on' ? ['HSTS:         on'] : []),
    `Price:        ${domain.price_usd} USD a month while it works`,
    ...(next_check_at === null ? [] : [`Next check:   ${minuteOf(next_check_at)} UTC`]),
    `Id:           ${id}`,
    '',
    ...recordLines(domain),
    ...domain.records.flatMap(seenLines),
  ];
}

const VISITORS: Readonly<Record<Domain['routing'], string>> = {
  here: 'arrive here',
  elsewhere: 'do not arrive here',
  partly: 'partly arrive elsewhere',
  unknown: 'not known yet',
};

/** What each name server answered, and the hint, for a record that is not right everywhere. */
function seenLines({ hint, name, seen, state, type }: Domain['records'][number]): string[] {
  if (state === 'found' && hint === null) return [];
  return [
    '',
    `${type} ${name}${hint === null ? '' : `: ${hint}`}`,
    ...seen.map(({ server, answer }) => `  ${server}: ${answer.length === 0 ? 'nothing' : answer.join(', ')}`),
  ];
}
