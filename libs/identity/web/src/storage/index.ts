export { PersonalStore } from './personal-store';
export type { PersonalStoreOptions } from './personal-store';
