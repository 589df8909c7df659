/** One dependency as `/health/ready` sees it. Built in the composition root, next to the adapter it asks. */
export interface HealthProbe {
  readonly name: string;
  /** Whether the instance can do nothing useful without it; the others are reported and do not gate. */
  readonly gates: boolean;
  /** Resolves when the dependency answers; any rejection counts as down. */
  check(signal: AbortSignal): Promise<void>;
}

/** What `HealthModule` needs: the probes, and whether the instance is on its way out. */
export interface HealthOptions {
  readonly probes: readonly HealthProbe[];
  readonly isDraining: () => boolean;
  /** How long one probe may take before it counts as down; 2,000 ms. */
  readonly checkLimitMs?: number;
}
