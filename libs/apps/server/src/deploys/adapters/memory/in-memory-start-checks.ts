import { type StartCheck, StartChecks } from '../../application/start-checks.port';

/** Start checks for tests, which take the place of a runtime. */
export class InMemoryStartChecks extends StartChecks {
  readonly #checks = new Map<string, StartCheck | 'launched'>();
  readonly #waiting = new Set<() => void>();

  /** @param startAs decides about each deploy when it is asked for; undefined leaves it waiting. */
  constructor(private readonly startAs: (deployId: string) => StartCheck | 'launched' | undefined = () => PASSED) {
    super();
  }

  /** Ends the check of a deploy, or launches its server. */
  record(deployId: string, check: StartCheck | 'launched'): void {
    this.#checks.set(deployId, check);
    for (const notify of this.#waiting) notify();
  }

  async find(deployId: string): Promise<StartCheck | 'waiting' | 'launched'> {
    return this.#checks.get(deployId) ?? this.startAs(deployId) ?? 'waiting';
  }

  changed(_deployId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.#waiting.add(end);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }
}

export const PASSED: StartCheck = { hasPassed: true, reason: null, log: [] };
