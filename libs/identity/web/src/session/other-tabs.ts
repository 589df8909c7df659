import { rememberedUser, STORAGE_KEY } from './remembered-user';

const CHANNEL = 'homeport.session';

/** What a tab tells the others: whose session this browser has now. */
export interface SessionAnnouncement {
  /** The person; undefined after a sign-out. */
  readonly sub: string | undefined;
}

/** The other tabs of this browser. Where they cannot be told, they see from what this device remembers. */
export class OtherTabs {
  readonly #channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);
  readonly #hear: (announcement: SessionAnnouncement) => void;

  constructor(hear: (announcement: SessionAnnouncement) => void) {
    this.#hear = hear;
    if (this.#channel) this.#channel.onmessage = ({ data }: MessageEvent<SessionAnnouncement>) => hear(data);
    else globalThis.addEventListener('storage', this.#see);
  }

  announce(sub: string | undefined): void {
    this.#channel?.postMessage({ sub } satisfies SessionAnnouncement);
  }

  close(): void {
    this.#channel?.close();
    globalThis.removeEventListener('storage', this.#see);
  }

  readonly #see = ({ key }: StorageEvent): void => {
    if (key === STORAGE_KEY) this.#hear({ sub: rememberedUser()?.sub });
  };
}
