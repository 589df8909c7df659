import { encodeFilePath } from '@homeport/files/contracts';
import { escapeInvalidPercents } from '@homeport/platform/web';
import { directoryLink } from '../../tree/file-links';
import { displayDirectory } from '../../tree/display-path';

const ORIGIN = 'http://same.invalid';
const WORKSPACE = 'workspace/';

/** The target of a link or picture in a Markdown file. */
export type MarkdownTarget =
  | { readonly kind: 'part'; readonly fragment: string }
  /** A file of the workspace: the URL of its page, and its key. */
  | { readonly kind: 'file'; readonly address: string; readonly key: string }
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'elsewhere'; readonly address: string; readonly host: string };

/**
 * Resolves a link or picture of a Markdown file. Paths are relative to the file; as on GitHub, a leading `/` means the
 * root. A relative path cannot leave the workspace.
 * @param key the file that contains the link.
 * @returns a fragment, a file, a page of this app, or a web or mail address; undefined for any other target.
 */
export function resolveMarkdownLink(href: string, key: string): MarkdownTarget | undefined {
  if (href.startsWith('#')) return { kind: 'part', fragment: decoded(href.slice(1)) };
  const base = `${ORIGIN}/${encodeFilePath(key)}`;
  if (href.trim() === '' || !URL.canParse(href, base)) return undefined;
  const target = new URL(href, base);
  if (target.origin === ORIGIN) return workspaceTarget(target, key, /^\s*[/\\]/.test(href));
  return ['http:', 'https:', 'mailto:'].includes(target.protocol)
    ? { kind: 'elsewhere', address: target.href, host: target.host }
    : undefined;
}

function workspaceTarget({ pathname, search, hash }: URL, key: string, isRooted: boolean): MarkdownTarget {
  if (isRooted && /^\/(view|files|edit)\//.test(pathname)) {
    const path = pathname.startsWith('/view/') ? decoded(pathname.slice('/view/'.length)) : undefined;
    return path
      ? { kind: 'file', address: pathname + search + hash, key: path }
      : { kind: 'page', address: pathname + search + hash };
  }
  const path = decoded(pathname.slice(1));
  const targetKey = isRooted && key.startsWith(WORKSPACE) ? WORKSPACE + path : path;
  if (targetKey === '' || targetKey.endsWith('/')) {
    const segments = directoryLink(displayDirectory(targetKey.replace(/\/+$/, '')));
    return {
      kind: 'page',
      address: segments.map((each) => each.split('/').map(encodeURIComponent).join('/')).join('/'),
    };
  }
  return { kind: 'file', address: `/view/${encodeFilePath(targetKey)}${search}${hash}`, key: targetKey };
}

/** Decodes a URL part. A `%` that does not begin an escape is kept, because names are often written unencoded. */
function decoded(text: string): string {
  return decodeURIComponent(escapeInvalidPercents(text));
}
