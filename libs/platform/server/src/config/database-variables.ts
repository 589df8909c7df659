import { z } from 'zod';
import { wholeNumber } from './variables';

/** The PostgreSQL variables, shared by all processes. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'is not a PostgreSQL address' }),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
};
