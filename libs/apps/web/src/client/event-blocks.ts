/** A server-sent event. */
export interface ServerEvent {
  /** `message` for an event without a name. */
  readonly name: string;
  /** Where a stream continues after this event; undefined when the event has none. */
  readonly id?: string;
  /** The data as JSON. */
  readonly data: string;
}

/** Splits the growing text of an event stream into its events. */
export class EventBlocks {
  #parsed = 0;

  /**
   * @param text all text that was received so far.
   * @returns the complete events that earlier calls did not return. Comments are skipped.
   */
  next(text: string): readonly ServerEvent[] {
    const end = text.lastIndexOf('\n\n');
    if (end < this.#parsed) return [];
    const blocks = text.slice(this.#parsed, end).split('\n\n');
    this.#parsed = end + 2;
    return blocks.flatMap(eventsIn);
  }
}

/** The servers of Homeport write the data of an event on one line. */
function eventsIn(block: string): readonly ServerEvent[] {
  const fields = Object.fromEntries(
    [...block.matchAll(/^(event|id|data): (.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const { event: name = 'message', id, data } = fields as Readonly<Record<string, string | undefined>>;
  return data === undefined ? [] : [{ name, data, ...(id !== undefined && { id }) }];
}
