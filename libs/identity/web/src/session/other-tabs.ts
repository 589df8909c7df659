import { rememberedUser, STORAGE_KEY } from './remembered-user';

const CHANNEL = 'homeport.session';

/** Tells the other tabs which user this browser now has a session of. */
export interface SessionAnnouncement {
  /** The subject of the user; undefined after a sign-out. */
  readonly sub: string | undefined;
}

/**
 * Messages between the tabs of this browser. Without `BroadcastChannel`, tabs watch the remembered user in
 * localStorage.
 */
export class OtherTabs {
  readonly #channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);
  readonly #onAnnouncement: (announcement: SessionAnnouncement) => void;

  constructor(onAnnouncement: (announcement: SessionAnnouncement) => void) {
    this.#onAnnouncement = onAnnouncement;
    if (this.#channel) this.#channel.onmessage = ({ data }: MessageEvent<SessionAnnouncement>) => onAnnouncement(data);
    else globalThis.addEventListener('storage', this.#onStorage);
  }

  announce(sub: string | undefined): void {
    this.#channel?.postMessage({ sub } satisfies SessionAnnouncement);
  }

  close(): void {
    this.#channel?.close();
    globalThis.removeEventListener('storage', this.#onStorage);
  }

  readonly #onStorage = ({ key }: StorageEvent): void => {
    if (key === STORAGE_KEY) this.#onAnnouncement({ sub: rememberedUser()?.sub });
  };
}
