// Apart from index.ts, because Nest takes most of the time in which a program loads, and commands do without it.
export { AppsModule } from './apps.module';
export { ChangeStreams } from './changes/adapters/http/change-streams';
export { LogStreams } from './runtime/adapters/http/log-streams';
