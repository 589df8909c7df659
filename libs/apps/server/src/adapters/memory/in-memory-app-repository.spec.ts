import { appRepositoryContract } from '../../testing/app-repository.contract';
import { InMemoryAppRepository } from './in-memory-app-repository';

const repository = new InMemoryAppRepository();
appRepositoryContract(InMemoryAppRepository.name, () => repository);
