import type { ProcessControls } from './launched-process';
import { memoryOfTree, processTree, signalProcess } from './process-memory';

/** Controls a process and all below it by signals, where there are no control groups. */
export class ProcessTree implements ProcessControls {
  constructor(private readonly pid: number) {}

  freeze(): Promise<void> {
    return this.signal('SIGSTOP');
  }

  thaw(): Promise<void> {
    return this.signal('SIGCONT');
  }

  kill(): Promise<void> {
    return this.signal('SIGKILL');
  }

  memoryBytes(): Promise<number> {
    return memoryOfTree(this.pid);
  }

  private async signal(signal: NodeJS.Signals): Promise<void> {
    for (const pid of await processTree(this.pid)) signalProcess(pid, signal);
  }
}
