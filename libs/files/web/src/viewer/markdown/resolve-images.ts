import { pictureType } from '../picture/picture-type';
import { iconElement, element, whenNearViewport } from './elements';
import { resolveMarkdownLink } from './markdown-link';
import { DEFERRED_SRC_ATTRIBUTE } from './sanitize';

export interface ImageResolverOptions {
  /** The key of the file that contains the pictures. */
  readonly key: string;
  /** Reads a file with the access token of the user. */
  readonly read: (key: string, signal: AbortSignal) => Promise<Blob>;
  readonly signal: AbortSignal;
}

/** Loads pictures of the workspace when they come near the viewport. Pictures of other sites are never loaded. */
export function resolveImages(root: HTMLElement, options: ImageResolverOptions): void {
  for (const picture of root.querySelectorAll('img')) {
    const address = picture.getAttribute(DEFERRED_SRC_ATTRIBUTE) ?? '';
    picture.removeAttribute(DEFERRED_SRC_ATTRIBUTE);
    if (picture.hasAttribute('src')) continue;
    const target = resolveMarkdownLink(address, options.key);
    if (target?.kind === 'file') {
      const { key } = target;
      picture.classList.add('coming');
      whenNearViewport(picture, () => void show(picture, key, options), options.signal);
    } else if (target?.kind === 'elsewhere' && target.host) {
      picture.replaceWith(stubElsewhere(picture, target.address, target.host));
    } else {
      picture.replaceWith(stub(picture.alt || $localize`Picture`));
    }
  }
}

async function show(picture: HTMLImageElement, key: string, { read, signal }: ImageResolverOptions): Promise<void> {
  const broken = (): void => {
    const words = picture.alt;
    picture.replaceWith(
      stub(
        words
          ? $localize`${words}:picture: (the picture could not be loaded)`
          : $localize`The picture could not be loaded`,
      ),
    );
  };
  try {
    const content = await read(key, signal);
    const type = pictureType(key, content.type);
    if (signal.aborted) return;
    if (!type) {
      broken();
      return;
    }
    const address = URL.createObjectURL(content.slice(0, content.size, type));
    signal.addEventListener('abort', () => URL.revokeObjectURL(address), { once: true });
    picture.onload = () => picture.classList.remove('coming');
    picture.onerror = broken;
    picture.src = address;
  } catch {
    if (!signal.aborted) broken();
  }
}

function stub(words: string): HTMLElement {
  return element('span', 'picture', iconElement('image'), words);
}

/** Replaces a picture of another site with a link: loading it would reveal the reader to that site. */
function stubElsewhere(picture: HTMLImageElement, address: string, host: string): HTMLElement {
  const words = picture.alt ? $localize`${picture.alt}:picture: on ${host}:host:` : $localize`Picture on ${host}:host:`;
  const placeholder = stub(words);
  if (picture.closest('a')) return placeholder;
  const link = element('a', '', placeholder);
  link.href = address;
  link.rel = 'noopener noreferrer';
  link.target = '_blank';
  return link;
}
