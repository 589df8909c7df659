import { usageSpoolContract } from '../../../testing/usage-spool.contract';
import { InMemoryUsageSpool } from './in-memory-usage-spool';

usageSpoolContract(InMemoryUsageSpool.name, async () => new InMemoryUsageSpool());
