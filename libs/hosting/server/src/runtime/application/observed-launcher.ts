import type { InstanceLauncher } from './instance-launcher';

/** An instance that listens, or failed to. */
export interface InstanceStart {
  readonly outcome: 'success' | 'failure';
  /** From the request for an instance until it listens. */
  readonly seconds: number;
}

/** Measures the starts of another launcher. */
export function observedLauncher(
  launcher: Pick<InstanceLauncher, 'launch'>,
  onStart: (start: InstanceStart) => void,
): Pick<InstanceLauncher, 'launch'> {
  return {
    async launch(request) {
      const startedAt = performance.now();
      const end = (outcome: InstanceStart['outcome']) =>
        onStart({ outcome, seconds: (performance.now() - startedAt) / 1_000 });
      try {
        const process = await launcher.launch(request);
        process.listening.then(
          () => end('success'),
          () => end('failure'),
        );
        return process;
      } catch (error) {
        end('failure');
        throw error;
      }
    },
  };
}
