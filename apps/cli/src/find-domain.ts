import { type Domain, type Homeport, operations } from '@homeport/api-client';
import { CliError } from './cli.errors';

/**
 * Finds a domain.
 * @param reference its name or id.
 * @throws {CliError} when no domain matches.
 */
export async function findDomain({ client }: Homeport, reference: string): Promise<Domain> {
  const { items } = await operations.listDomains({ client });
  const found = items.find(({ id, name }) => id === reference || name === reference.toLowerCase());
  if (found) return found;
  throw new CliError(
    `There is no domain "${reference}".`,
    'notFound',
    'List the domains with "homeport domains list".',
  );
}
