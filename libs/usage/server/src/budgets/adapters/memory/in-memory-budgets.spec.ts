import { budgetNoticeLedgerContract, budgetRepositoryContract } from '../../../testing';
import { InMemoryBudgetNoticeLedger } from './in-memory-budget-notice-ledger';
import { InMemoryBudgetRepository } from './in-memory-budget-repository';

budgetRepositoryContract(InMemoryBudgetRepository.name, async () => new InMemoryBudgetRepository());
budgetNoticeLedgerContract(InMemoryBudgetNoticeLedger.name, async () => new InMemoryBudgetNoticeLedger());
