import { hash } from 'node:crypto';
import { MAX_SUBDOMAIN_LENGTH } from '@homeport/apps/contracts';
import { aliasLabel } from '@homeport/hosting/contracts';

const DIGEST_LENGTH = 8;
/** Hyphens after which the rest of a label could be the subdomain of another app. */
const SEPARATOR = /--+(?=[a-z0-9])/g;

/**
 * The label of the hostname that shows the newest deploy of a branch: `pv--{branch}--{subdomain}`. Only letters, digits
 * and hyphens of the branch remain. A label that is too long, or that an app with another subdomain could also have,
 * is shortened to a unique one by 8 hex digits of its SHA-256.
 * @param branch as the uploader stated it.
 */
export function branchAliasLabel(branch: string, subdomain: string): string {
  const name = branch.toLowerCase().replace(/[^a-z0-9-]/gu, '-');
  const label = aliasLabel(name, subdomain);
  const separated = name.replace(SEPARATOR, '-');
  if (label.length <= MAX_SUBDOMAIN_LENGTH && separated === name) return label;
  const digest = hash('sha256', label, 'hex').slice(0, DIGEST_LENGTH);
  const room = MAX_SUBDOMAIN_LENGTH - aliasLabel(`-${digest}`, subdomain).length;
  if (room > 0) return aliasLabel(`${separated.slice(0, room).replace(/-+$/, '')}-${digest}`, subdomain);
  return `${label.slice(0, MAX_SUBDOMAIN_LENGTH - DIGEST_LENGTH - 1)}-${digest}`;
}
