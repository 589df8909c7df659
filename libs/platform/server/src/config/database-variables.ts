import { z } from 'zod';
import { wholeNumber } from './variables';

const databaseUrl = z
  .url({
    protocol: /^postgres(ql)?$/,
    error: 'is not a PostgreSQL address, such as postgres://user:password@host:5432/database',
  })
  .refine(
    (value) => !URL.canParse(value) || isDecodable(new URL(value)),
    'contains a % that encodes nothing: write it as %25',
  );

/** Drivers decode user, password and database. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}

/** The PostgreSQL variables, shared by all processes. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
};
