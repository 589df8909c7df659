import { InjectionToken, type Type } from '@angular/core';
import type { IconName } from '../ui/icon/icon-paths';

/** A result of the command palette: a page to open or a command to run. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** The location, to distinguish items of the same name. */
  readonly hint?: string;
  readonly icon: IconName;
  /** A CSS color; gray by default. */
  readonly iconColor?: string;
  /** Router commands. */
  readonly link?: readonly string[];
  readonly run?: () => void;
}

/** Provides the results of one domain. */
export interface PaletteSource {
  readonly heading: string;
  /** Returns the best matches first, at most `limit`. The signal is aborted when the query changes. */
  find(query: string, limit: number, signal: AbortSignal): readonly PaletteItem[] | Promise<readonly PaletteItem[]>;
  /** Why the last results may be incomplete, as a sentence; undefined when they are complete. */
  note?(): string | undefined;
}

/** Multi provider for all domains; sources are loaded when the palette first opens. */
export const PALETTE_SOURCES = new InjectionToken<readonly (() => Promise<Type<PaletteSource>>)[]>('palette sources');
