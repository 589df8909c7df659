import { idempotencyKeysContract } from '../../../testing/idempotency-keys.contract';
import { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys';

const keys = new InMemoryIdempotencyKeys();
idempotencyKeysContract(InMemoryIdempotencyKeys.name, () => keys);
