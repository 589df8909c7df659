import type { IconName } from '@homeport/platform/web';

/** The drawing for a file, by the extension of its name. */
export function fileIcon(name: string): IconName {
  if (/\.(md|mdx|txt)$/i.test(name)) return 'file-text';
  if (/\.(json|ya?ml|toml|xml|html?|css|[cm]?[jt]sx?)$/i.test(name)) return 'file-code';
  return 'file';
}
