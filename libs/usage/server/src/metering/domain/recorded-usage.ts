/** Recorded quantities in 10⁻⁶ recorded units; of a level, summed over the hours. */
export interface RecordedPart {
  readonly total: bigint;
  /** The part of the total that was used in an earlier month and recorded after its close. */
  readonly late: bigint;
}

/** The recorded usage of an item in a month. */
export interface RecordedUsage {
  readonly organization: string;
  readonly item: string;
  readonly inTrial: RecordedPart;
  readonly afterTrial: RecordedPart;
}
