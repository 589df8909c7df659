import { InjectionToken, type Type } from '@angular/core';
import type { IconName } from '../ui/icon/icon-paths';

/** Something the command palette leads to or does. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** Where it is, for telling two of one name apart. */
  readonly hint?: string;
  readonly icon: IconName;
  /** Router commands. */
  readonly link?: readonly string[];
  readonly run?: () => void;
}

/** What a domain has to offer to the command palette. */
export interface PaletteSource {
  readonly heading: string;
  /** The best matches first, at most `limit`. Aborted when the query changes. */
  find(query: string, limit: number, signal: AbortSignal): readonly PaletteItem[] | Promise<readonly PaletteItem[]>;
}

/** Provided many times, by the domains; each source is loaded when the palette first opens. */
export const PALETTE_SOURCES = new InjectionToken<readonly (() => Promise<Type<PaletteSource>>)[]>('palette sources');
