import { ICON_PATHS, type IconName } from '@homeport/platform/web';

const SVG = 'http://www.w3.org/2000/svg';

/** An element with a class and what is in it. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className = '',
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/**
 * Makes an element that scrolls inside reachable with the keyboard, with a name for those who hear it. A group and no
 * region: a text may have many, and they are no landmarks of the page.
 */
export function makeScrollable(scroller: HTMLElement, name: string): void {
  scroller.tabIndex = 0;
  scroller.role = 'group';
  scroller.ariaLabel = name;
}

/** One of our drawings, beside a word. */
export function iconElement(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('drawing');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICON_PATHS[name]);
  svg.append(path);
  return svg;
}

/** Runs something once an element comes near the screen, unless it is called off before. */
export function whenNearViewport(target: Element, run: () => void, signal: AbortSignal): void {
  const observer = new IntersectionObserver(
    (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      run();
    },
    { rootMargin: '600px' },
  );
  observer.observe(target);
  signal.addEventListener('abort', () => observer.disconnect(), { once: true });
}
