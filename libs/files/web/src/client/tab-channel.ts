/** Messages between the tabs of this browser; without `BroadcastChannel`, none arrive. */
export class TabChannel<T> {
  readonly #channel: BroadcastChannel | undefined;

  constructor(name: string, onMessage: (message: T) => void) {
    this.#channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
    if (this.#channel) this.#channel.onmessage = ({ data }: MessageEvent<T>) => onMessage(data);
  }

  post(message: T): void {
    this.#channel?.postMessage(message);
  }
}
