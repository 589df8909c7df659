import { encodeFilePath } from '@homeport/files/contracts';
import { escapeInvalidPercents } from '@homeport/platform/web';
import { directoryLink } from '../../tree/file-links';
import { displayDirectory } from '../../tree/file-tree';

const ORIGIN = 'http://same.invalid';
const WORKSPACE = 'workspace/';

/** Where something of a Markdown file leads. */
export type MarkdownTarget =
  | { readonly kind: 'part'; readonly fragment: string }
  /** Another file; the address of its page, and its key. */
  | { readonly kind: 'file'; readonly address: string; readonly key: string }
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'elsewhere'; readonly address: string; readonly host: string };

/**
 * Where a link or picture of a Markdown file leads: a part of the same file, a file or directory beside it (or from
 * the root of the workspace, as `/` means the root of a repository on GitHub), a web or mail address, undefined for
 * anything else. Nothing relative leads out of the workspace.
 * @param key the file the link stands in.
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
  const place = isRooted && key.startsWith(WORKSPACE) ? WORKSPACE + path : path;
  if (place === '' || place.endsWith('/')) {
    const segments = directoryLink(displayDirectory(place.replace(/\/+$/, '')));
    return {
      kind: 'page',
      address: segments.map((each) => each.split('/').map(encodeURIComponent).join('/')).join('/'),
    };
  }
  return { kind: 'file', address: `/view/${encodeFilePath(place)}${search}${hash}`, key: place };
}

/** People write names as they are, so a `%` that begins no escape is one. */
function decoded(text: string): string {
  return decodeURIComponent(escapeInvalidPercents(text));
}
