import { pictureType } from '../file-renderers';
import { iconElement, element, whenNearViewport } from './elements';
import { resolveMarkdownLink } from './markdown-link';
import { DEFERRED_SRC_ATTRIBUTE } from './sanitize';

export interface ImageResolverOptions {
  /** The key of the file the pictures stand in. */
  readonly key: string;
  /** Reads a file with the person's token. */
  readonly read: (key: string, signal: AbortSignal) => Promise<Blob>;
  readonly signal: AbortSignal;
}

/** Pictures of the workspace are read when they come near the screen; from elsewhere nothing is fetched. */
export function resolveImages(root: HTMLElement, tools: ImageResolverOptions): void {
  for (const picture of root.querySelectorAll('img')) {
    const address = picture.getAttribute(DEFERRED_SRC_ATTRIBUTE) ?? '';
    picture.removeAttribute(DEFERRED_SRC_ATTRIBUTE);
    if (picture.hasAttribute('src')) continue;
    const target = resolveMarkdownLink(address, tools.key);
    if (target?.kind === 'file') {
      const { key } = target;
      picture.classList.add('coming');
      whenNearViewport(picture, () => void show(picture, key, tools), tools.signal);
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

/** Where it is instead of the picture: fetching it would tell its server who reads this. */
function stubElsewhere(picture: HTMLImageElement, address: string, host: string): HTMLElement {
  const words = picture.alt ? $localize`${picture.alt}:picture: on ${host}:host:` : $localize`Picture on ${host}:host:`;
  const face = stub(words);
  if (picture.closest('a')) return face;
  const link = element('a', '', face);
  link.href = address;
  link.rel = 'noopener noreferrer';
  link.target = '_blank';
  return link;
}
