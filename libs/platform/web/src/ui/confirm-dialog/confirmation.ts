/** A question before something that cannot be taken back. */
export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** The verb on the button. */
  readonly action: string;
  /** A word the person has to type before the button works. */
  readonly typed?: string;
  /** Done while the dialog stays open; when it fails, the dialog says why and lets the person try again. */
  readonly run: () => Promise<void>;
}
