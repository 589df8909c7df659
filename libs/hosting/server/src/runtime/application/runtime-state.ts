import { isDeepStrictEqual } from 'node:util';
import type { InstanceState } from '../domain/instance-state';
import { isOlderVersion } from '../domain/revision';
import type { RunningRevision, Runtime } from './runtime.port';

export interface InstanceRecord {
  readonly id: string;
  readonly appId: string;
  readonly deployId: string;
  readonly state: InstanceState;
  readonly startedAt: Date;
  readonly memoryBytes: number;
  readonly requests: number;
}

/** Whether an app answers requests. */
export interface AppState {
  readonly appId: string;
  /** `idle`: it has no instance, or a frozen one, and wakes up with the next request. */
  readonly state: 'starting' | 'ready' | 'idle' | 'crash-loop';
  /** Why it is in a crash loop, or why it was not restarted, such as with new variables. */
  readonly reason?: string;
}

/** Stores the state of a runtime for the API. Every method can reject with DatabaseUnavailable. */
export abstract class RuntimeRecords {
  /** Removes what runtimes left that have ended. Call it at the start and regularly. */
  abstract removeLost(): Promise<void>;

  /** Replaces the instances of this runtime. Call it at least every 30 s. */
  abstract saveInstances(instances: readonly InstanceRecord[]): Promise<void>;

  abstract saveStates(states: readonly AppState[]): Promise<void>;
}

/** How often unchanged instances are saved. */
const REFRESH_MS = 10_000;

/** Reports instances and states of apps when they change. */
export class RuntimeStateReporter {
  #states = new Map<string, AppState>();
  #instances = '';
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly runtime: Pick<Runtime, 'revisions'>,
    private readonly records: RuntimeRecords,
    private readonly now: () => number,
  ) {}

  /** Saves what has changed. @throws {DatabaseUnavailable} */
  async report(): Promise<void> {
    const revisions = [...this.runtime.revisions];
    await measureNew(revisions);
    const instances = revisions.flatMap((each) => recordsOf(each));
    const summary = instances.map(({ id, state }) => `${id} ${state}`).join();
    if (summary !== this.#instances || this.now() - this.#savedAt >= REFRESH_MS) {
      await this.records.saveInstances(instances);
      this.#instances = summary;
      this.#savedAt = this.now();
    }
    const states = this.#statesOf(revisions);
    const changed = [...states.values()].filter((state) => !isDeepStrictEqual(state, this.#states.get(state.appId)));
    if (changed.length > 0) await this.records.saveStates(changed);
    this.#states = new Map([...states].filter(([, { state }]) => state !== 'idle'));
  }

  #statesOf(revisions: readonly RunningRevision[]): ReadonlyMap<string, AppState> {
    // Apps that had a state and have no instance any more are idle.
    const states = new Map(
      [...this.#states.keys()].map((appId): [string, AppState] => [appId, { appId, state: 'idle' }]),
    );
    for (const appId of new Set(revisions.map((each) => each.appId))) {
      const all = revisions.filter((each) => each.appId === appId && !each.isReplaced);
      const production = all.filter(({ revision }) => revision.scope === 'production');
      const state = stateOf(appId, production.length > 0 ? production : all);
      if (state.state !== 'idle' || this.#states.has(appId)) states.set(appId, state);
    }
    return states;
  }
}

/** A ready instance is never reported without its memory. */
async function measureNew(revisions: readonly RunningRevision[]): Promise<void> {
  const all = revisions.flatMap(({ instances }) => [...instances]);
  const unmeasured = all.filter(({ state, memoryBytes }) => state === 'ready' && memoryBytes === 0);
  await Promise.all(unmeasured.map((instance) => instance.measure()));
}

function recordsOf({ appId, revision, instances }: RunningRevision): InstanceRecord[] {
  return [...instances].map(({ id, state, startedOn: startedAt, memoryBytes, requests }) => {
    return { id, appId, deployId: revision.deployId, state, startedAt, memoryBytes, requests };
  });
}

/** With changed variables, the old instances serve until new ones are ready, which may never be. */
function failureOfNewer(ready: RunningRevision, revisions: readonly RunningRevision[]): Pick<AppState, 'reason'> {
  const newer = revisions.find(
    ({ revision, isReady, failure }) => isOlderVersion(ready.revision, revision) && !isReady && failure !== undefined,
  );
  return newer ? { reason: `The restart failed: ${newer.failure}. The former servers still run.` } : {};
}

function stateOf(appId: string, revisions: readonly RunningRevision[]): AppState {
  const ready = revisions.find(({ isReady }) => isReady);
  if (ready) return { appId, state: 'ready', ...failureOfNewer(ready, revisions) };
  const looping = revisions.find(({ isCrashLooping }) => isCrashLooping);
  if (looping) {
    const reason = looping.failure === undefined ? {} : { reason: `The server crashed: ${looping.failure}.` };
    return { appId, state: 'crash-loop', ...reason };
  }
  const isStarting = revisions.some(({ instances }) => [...instances].some(({ state }) => state === 'launching'));
  return { appId, state: isStarting ? 'starting' : 'idle' };
}
