// Apart from index.ts, because Nest takes most of the time in which a program loads, and commands do without it.
export { AccessGuard } from './adapters/http/access.guard';
export { CurrentActor, CurrentMember } from './adapters/http/current-actor';
export { MemberProblems } from './adapters/http/person-problems';
export { IdentityModule } from './identity.module';
