/** The trigger of `apps.deploys` writes it too, when it says that what answers there has changed. */
const PREFIX = 'pv--';
const LABEL = /^pv--([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/**
 * The label of a deploy's preview address. No app can ever have it: the third and fourth characters of a subdomain are
 * never both hyphens. Nobody can guess it either. @param deployId a UUID.
 */
export function previewLabel(deployId: string): string {
  return PREFIX + deployId.replaceAll('-', '');
}

/** The deploy whose preview a label is; undefined for any other label. */
export function parsePreviewLabel(label: string): string | undefined {
  return LABEL.exec(label)?.slice(1).join('-');
}
