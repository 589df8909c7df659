import { InMemoryUsageStore } from '../../../metering/adapters/memory/in-memory-usage-store';
import { monthClosingsContract } from '../../../testing';
import { InMemoryMonthClosings } from './in-memory-month-closings';

monthClosingsContract(InMemoryMonthClosings.name, async () => {
  const store = new InMemoryUsageStore();
  return { store, closings: new InMemoryMonthClosings(store, () => new Date()) };
});
