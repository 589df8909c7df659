/** The account of an organization. Its creation decides which prices it pays. */
export interface Account {
  readonly organization: string;
  readonly createdAt: Date;
}
