/** A confirmation before an action with consequences. */
export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** The label of the confirm button. */
  readonly action: string;
  /** Whether the action loses nothing; its button is not red then. */
  readonly isHarmless?: boolean;
  /** A word the user must type to enable the button. */
  readonly typed?: string;
  /** Runs while the dialog is open; when it fails, the dialog shows the error and allows a retry. */
  readonly run: () => Promise<void>;
}
