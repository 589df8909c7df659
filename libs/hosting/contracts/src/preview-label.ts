/** The database trigger of `apps.deploys` uses the same prefix in its change notifications. */
const PREFIX = 'pv--';
const LABEL = /^pv--([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/**
 * The label of a deploy's preview URL. It is never an app's subdomain, whose third and fourth characters are not both
 * hyphens. Outsiders cannot guess it.
 * @param deployId a UUID.
 */
export function previewLabel(deployId: string): string {
  return PREFIX + deployId.replaceAll('-', '');
}

/** @returns the id of the deploy that a preview label belongs to; undefined for any other label. */
export function parsePreviewLabel(label: string): string | undefined {
  return LABEL.exec(label)?.slice(1).join('-');
}

/** Puts the parts of a branch alias together. It is neither an app's subdomain nor the preview label of a deploy. */
export function aliasLabel(branch: string, subdomain: string): string {
  return `${PREFIX}${branch}--${subdomain}`;
}

/** Whether a label may be that of a branch alias. */
export function isAliasLabel(label: string): boolean {
  return label.startsWith(PREFIX) && !LABEL.test(label);
}
