import { chargeLedgerContract } from '../../testing/charge-ledger.contract';
import { priceRevisionsContract } from '../../testing/price-revisions.contract';
import { firstRevision } from '../../testing/revisions';
import { InMemoryChargeLedger } from './in-memory-charge-ledger';
import { InMemoryPriceRevisions } from './in-memory-price-revisions';

const revisions = new InMemoryPriceRevisions([firstRevision()]);
const ledger = new InMemoryChargeLedger();

priceRevisionsContract(InMemoryPriceRevisions.name, () => revisions);
chargeLedgerContract(InMemoryChargeLedger.name, () => ledger);
