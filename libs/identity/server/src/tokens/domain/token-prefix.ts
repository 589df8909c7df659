import { InvalidRequest } from '@homeport/kernel';

const MAX_BYTES = 1_023;

/**
 * Normalizes the folder that confines a personal token: NFC, ending with `/`, so that `reports` does not permit
 * `reports-2025`.
 * @returns undefined for the whole workspace.
 * @throws {InvalidRequest}
 */
export function tokenPrefixOf(folder: string): string | undefined {
  const path = folder.normalize('NFC').replace(/\/$/, '');
  if (path === '') return undefined;
  const isValid = path.split('/').every((name) => !['', '.', '..'].includes(name) && !/[\p{Cc}\\]/u.test(name));
  if (!isValid || !path.isWellFormed() || Buffer.byteLength(path) > MAX_BYTES) {
    const reason = 'It must be the path of a folder, such as reports/2026/.';
    throw new InvalidRequest('The request body has invalid fields.', [{ field: 'prefix', reason }]);
  }
  return `${path}/`;
}
