import { ICON_PATHS, type IconName } from '@homeport/platform/web';

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an element with a class and content. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className = '',
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(name);
  if (className) created.className = className;
  created.append(...content);
  return created;
}

/**
 * Makes a scrolling element focusable and gives it an accessible name. The role is `group`, not `region`: a text may
 * have many of them, and they are not landmarks of the page.
 */
export function makeScrollable(scroller: HTMLElement, name: string): void {
  scroller.tabIndex = 0;
  scroller.role = 'group';
  scroller.ariaLabel = name;
}

/** Creates a decorative icon. */
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

/** Runs a function once when an element comes near the viewport, unless it is aborted before. */
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
