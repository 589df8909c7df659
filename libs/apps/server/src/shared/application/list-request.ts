import type { ListPosition } from '../domain/list-cursor';

/** The parameters of a list. */
export interface ListRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A page of a list. */
export interface PageRequest {
  readonly limit: number;
  /** The end of the previous page. */
  readonly after?: ListPosition;
}
