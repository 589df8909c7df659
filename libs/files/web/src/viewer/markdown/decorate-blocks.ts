import type { IconName } from '@homeport/platform/web';
import type { FrontMatter } from './front-matter';
import { iconElement, element, makeScrollable } from './elements';

interface AlertStyle {
  readonly icon: IconName;
  readonly words: () => string;
}

const ALERTS: Readonly<Record<string, AlertStyle>> = {
  note: { icon: 'info', words: () => $localize`Note` },
  tip: { icon: 'bulb', words: () => $localize`Tip` },
  important: { icon: 'chat', words: () => $localize`Important` },
  warning: { icon: 'alert', words: () => $localize`Warning` },
  caution: { icon: 'stop', words: () => $localize`Caution` },
};

/** Tells what kind of alert each one is, in a drawing and a word. */
export function decorateAlerts(root: HTMLElement): void {
  for (const title of root.querySelectorAll('.markdown-alert > .markdown-alert-title')) {
    const kind = /markdown-alert-([a-z]+)$/.exec(title.parentElement?.className ?? '')?.[1] ?? '';
    const face = Object.hasOwn(ALERTS, kind) ? ALERTS[kind] : undefined;
    if (face) title.replaceChildren(iconElement(face.icon), face.words());
  }
}

/** Lets wide tables scroll inside themselves, also with the keyboard. */
export function decorateTables(root: HTMLElement): void {
  for (const table of root.querySelectorAll('table')) {
    const scroller = element('div', 'scroller');
    makeScrollable(scroller, $localize`Table`);
    table.replaceWith(scroller);
    scroller.append(table);
    for (const head of table.querySelectorAll('th')) if (!head.textContent.trim()) head.replaceWith(asCell(head));
  }
}

/** A heading without words is none. */
function asCell(head: HTMLTableCellElement): HTMLTableCellElement {
  const cell = element('td');
  cell.append(...head.childNodes);
  return cell;
}

/** The data a file begins with, as a small table, or as it is written when it is more than a list. */
export function frontMatterElement({ rows, source }: FrontMatter): HTMLElement | undefined {
  if (rows?.length === 0) return undefined;
  if (!rows) {
    const code = element('code', 'language-yaml', source);
    return element('pre', '', code);
  }
  const body = element('tbody');
  for (const [name, value] of rows) {
    const head = element('th', '', name);
    head.scope = 'row';
    body.append(element('tr', '', head, element('td', '', value)));
  }
  return element('table', 'front-matter', body);
}
