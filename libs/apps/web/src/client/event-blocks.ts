/** A server-sent event. */
export interface ServerEvent {
  readonly name: string;
  /** The data as JSON. */
  readonly data: string;
}

const EVENT = /^event: (.*)\ndata: (.*)$/;

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
    return blocks.flatMap((block) => {
      const [, name, data] = EVENT.exec(block) ?? [];
      return name === undefined || data === undefined ? [] : [{ name, data }];
    });
  }
}
