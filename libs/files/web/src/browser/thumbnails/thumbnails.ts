import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { asHttpProblem } from '@homeport/platform/web';
import { FilesClient } from '../../client/files-client';
import { pictureType } from '../../viewer/picture/picture-type';
import { renderThumbnail } from './render-thumbnail';

/** Larger pictures keep their icon: there are no stored thumbnails, so the whole file is read. */
const MAX_BYTES = 2 * 1024 * 1024;
const CONCURRENCY = 3;
/** How long the visible rows stay the same before their pictures are requested. */
const SETTLE_MS = 150;
/** More than the rows of a screen. */
const MAX_CACHED = 300;
/** Formats whose size can be checked before they are decoded. */
const TYPES: readonly (string | undefined)[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * Small pictures of the visible picture files. Reads only rows that stay visible for a moment, a few at a time, and keeps
 * the pictures until the component that provides it is destroyed.
 */
@Injectable()
export class Thumbnails {
  readonly #client = inject(FilesClient);
  /** The address of the picture of each file version; undefined for one that cannot be shown. */
  readonly #pictures = signal<ReadonlyMap<string, string | undefined>>(new Map());
  #wanted: readonly FileEntry[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #running = new Set<string>();
  #isDestroyed = false;

  constructor() {
    inject(DestroyRef).onDestroy(() => {
      this.#isDestroyed = true;
      clearTimeout(this.#timer);
      for (const address of this.#pictures().values()) revoke(address);
    });
  }

  /** The address of the picture of a file; undefined until it is read, and for other files. */
  addressOf(entry: FileEntry): string | undefined {
    return this.#pictures().get(versionOf(entry));
  }

  /** Reads the pictures of the files that are visible now; forgets the files of the last call. */
  show(visible: readonly FileEntry[]): void {
    this.#wanted = visible.filter(hasThumbnail);
    clearTimeout(this.#timer);
    if (this.#wanted.length > 0) this.#timer = setTimeout(() => this.#startNext(), SETTLE_MS);
  }

  /** Replaces a picture that cannot be displayed by the icon. */
  fail(entry: FileEntry): void {
    this.#set(entry, undefined);
  }

  #startNext(): void {
    while (this.#running.size < CONCURRENCY && !this.#isDestroyed) {
      const next = this.#wanted.find((entry) => {
        const version = versionOf(entry);
        return !this.#pictures().has(version) && !this.#running.has(version);
      });
      if (!next) return;
      const version = versionOf(next);
      this.#running.add(version);
      void this.#read(next).finally(() => {
        this.#running.delete(version);
        this.#startNext();
      });
    }
  }

  async #read(entry: FileEntry): Promise<void> {
    try {
      const { content } = await this.#client.get(entry.key);
      const picture = await renderThumbnail(content, pictureType(entry.key, '') ?? '');
      if (!this.#isDestroyed) this.#set(entry, URL.createObjectURL(picture));
    } catch (error) {
      const { isConnectionFailure, status } = asHttpProblem(error);
      // Without a connection, or with a busy server, the other pictures wait until the user scrolls again.
      if (isConnectionFailure || status >= 429) this.#wanted = [];
      else this.#set(entry, undefined);
    }
  }

  #set(entry: FileEntry, address: string | undefined): void {
    const version = versionOf(entry);
    const pictures = new Map(this.#pictures());
    revoke(pictures.get(version));
    pictures.delete(version);
    pictures.set(version, address);
    for (const [oldest, old] of pictures) {
      if (pictures.size <= MAX_CACHED) break;
      revoke(old);
      pictures.delete(oldest);
    }
    this.#pictures.set(pictures);
  }
}

function hasThumbnail({ key, size }: FileEntry): boolean {
  return size > 0 && size <= MAX_BYTES && TYPES.includes(pictureType(key, ''));
}

function versionOf({ key, etag }: FileEntry): string {
  return `${etag} ${key}`;
}

function revoke(address: string | undefined): void {
  if (address !== undefined) URL.revokeObjectURL(address);
}
