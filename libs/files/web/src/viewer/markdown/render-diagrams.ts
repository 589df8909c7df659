import type { Drawing, DrawingRequest } from '../sandbox/sandbox-protocol';
import { element, makeScrollable, whenNearViewport } from './elements';
import { sanitizeFormula } from './sanitize';

export interface DiagramRenderOptions {
  readonly draw: (request: DrawingRequest, signal: AbortSignal) => Promise<Drawing>;
  readonly dark: boolean;
  /** Aborts pending drawings and frees finished ones. */
  readonly signal: AbortSignal;
}

/** An element of the text that a drawing replaces. */
export interface DiagramPlaceholder {
  readonly kind: DrawingRequest['kind'];
  readonly source: string;
  readonly display: boolean;
  readonly container: HTMLElement;
  /** Shows the source of a diagram. */
  readonly details?: HTMLDetailsElement;
}

/** An inline formula with more characters may be wider than a phone. */
const LONG_FORMULA = 20;
const FORMULAS = 'code.language-math-inline, code.language-math-display, pre > code.language-math';

/** Replaces the source of diagrams and formulas with placeholders for the drawings. */
export function insertDiagramPlaceholders(root: HTMLElement): readonly DiagramPlaceholder[] {
  const placeholders: DiagramPlaceholder[] = [];
  for (const code of root.querySelectorAll<HTMLElement>('pre > code.language-mermaid'))
    placeholders.push(diagramPlaceholder(code));
  for (const code of root.querySelectorAll<HTMLElement>(FORMULAS)) placeholders.push(formulaPlaceholder(code));
  return placeholders;
}

function diagramPlaceholder(code: HTMLElement): DiagramPlaceholder {
  const source = code.textContent;
  const container = element('div', 'face', $localize`Drawing…`);
  makeScrollable(container, $localize`Diagram`);
  const block = element('pre', '', element('code', '', source));
  makeScrollable(block, $localize`Source of the diagram`);
  const details = element('details', '', element('summary', '', $localize`Source of the diagram`), block);
  code.parentElement?.replaceWith(element('figure', 'diagram', container, details));
  return { kind: 'diagram', source, display: true, container, details };
}

function formulaPlaceholder(code: HTMLElement): DiagramPlaceholder {
  const source = code.textContent;
  const display = !code.classList.contains('language-math-inline');
  const container = element('span', display ? 'formula display' : 'formula', element('code', '', source));
  if (display) makeScrollable(container, $localize`Formula`);
  const block = code.closest('pre');
  (block ?? code).replaceWith(block ? element('div', '', container) : container);
  return { kind: 'formula', source, display, container };
}

/** Draws each diagram and formula when it comes near the viewport. */
export function renderDiagrams(placeholders: readonly DiagramPlaceholder[], options: DiagramRenderOptions): void {
  for (const placeholder of placeholders)
    whenNearViewport(placeholder.container, () => void drawOne(placeholder, options), options.signal);
}

async function drawOne(placeholder: DiagramPlaceholder, { draw, dark, signal }: DiagramRenderOptions): Promise<void> {
  const { kind, source, display, container } = placeholder;
  try {
    const drawing = await draw({ kind, source, display, dark }, signal);
    if (signal.aborted) return;
    if (drawing.kind === 'diagram') container.replaceChildren(diagram(drawing, source, signal));
    else showFormula(placeholder, drawing.mathml);
  } catch (error) {
    if (!signal.aborted) showError(placeholder, error instanceof Error ? error.message : '');
  }
}

function showFormula({ display, container }: DiagramPlaceholder, mathml: string): void {
  container.innerHTML = sanitizeFormula(mathml);
  if (display || container.textContent.length <= LONG_FORMULA) return;
  container.classList.add('long');
  container.tabIndex = 0;
}

/** Shows a diagram as an image: nothing in it is executed, loaded or clickable. */
function diagram(
  { svg, width, height }: Drawing & { kind: 'diagram' },
  source: string,
  signal: AbortSignal,
): HTMLElement {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  signal.addEventListener('abort', () => URL.revokeObjectURL(address), { once: true });
  const picture = element('img');
  picture.src = address;
  picture.width = Math.ceil(width);
  picture.height = Math.ceil(height);
  picture.alt = $localize`Diagram: ${firstWords(source)}:words:`;
  return picture;
}

function showError({ kind, source, container, details }: DiagramPlaceholder, reason: string): void {
  const what = kind === 'diagram' ? $localize`This diagram cannot be drawn.` : $localize`This formula cannot be drawn.`;
  const fault = element('span', 'fault', `${what} ${reason}`);
  if (kind === 'diagram') container.replaceChildren(fault);
  else container.replaceChildren(element('code', '', source), ' ', fault);
  if (details) details.open = true;
}

function firstWords(source: string): string {
  const words = source.replace(/\s+/g, ' ').trim();
  return words.length > 80 ? `${words.slice(0, 80)}…` : words;
}
