/** A difference between the database, the storage and the zone. */
export interface Finding {
  /** `fault`: something is lost or wrong. `surplus`: something is left over, which only costs storage or a record. */
  readonly severity: 'fault' | 'surplus';
  /** What it concerns, such as the key of a blob or the name of an app. */
  readonly subject: string;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** What the operator can do, as a sentence. */
  readonly remedy: string;
}
