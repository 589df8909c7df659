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

/** Adds an icon and a translated title to each alert. */
export function decorateAlerts(root: HTMLElement): void {
  for (const title of root.querySelectorAll('.markdown-alert > .markdown-alert-title')) {
    const kind = /markdown-alert-([a-z]+)$/.exec(title.parentElement?.className ?? '')?.[1] ?? '';
    const style = Object.hasOwn(ALERTS, kind) ? ALERTS[kind] : undefined;
    if (style) title.replaceChildren(iconElement(style.icon), style.words());
  }
}

/** Wraps tables so that wide ones scroll horizontally, also with the keyboard. */
export function decorateTables(root: HTMLElement): void {
  for (const table of root.querySelectorAll('table')) {
    const scroller = element('div', 'scroller');
    makeScrollable(scroller, $localize`Table`);
    table.replaceWith(scroller);
    scroller.append(table);
    for (const head of table.querySelectorAll('th')) if (!head.textContent.trim()) head.replaceWith(asCell(head));
  }
}

/** Converts an empty header cell to a data cell: a header needs a text. */
function asCell(head: HTMLTableCellElement): HTMLTableCellElement {
  const cell = element('td');
  cell.append(...head.childNodes);
  return cell;
}

/** Renders front matter as a table, or as YAML source when it is not a plain list; undefined when it is empty. */
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
