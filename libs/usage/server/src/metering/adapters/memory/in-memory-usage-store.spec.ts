import { usageStoreContract } from '../../../testing/usage-store.contract';
import { InMemoryUsageStore } from './in-memory-usage-store';

usageStoreContract(InMemoryUsageStore.name, async () => new InMemoryUsageStore());
