import type { Drawing, DrawingRequest } from '../sandbox/drawing';
import { element, makeScroller, whenNear } from './elements';
import { sanitizeFormula } from './sanitize';

export interface DrawingTools {
  readonly draw: (request: DrawingRequest, signal: AbortSignal) => Promise<Drawing>;
  readonly dark: boolean;
  /** Calls off what is not drawn yet, and lets go of what is. */
  readonly signal: AbortSignal;
}

/** A place in the text where a drawing belongs. */
export interface DrawingPlace {
  readonly kind: DrawingRequest['kind'];
  readonly source: string;
  readonly display: boolean;
  readonly face: HTMLElement;
  /** Where the words behind a diagram can be read. */
  readonly words?: HTMLDetailsElement;
}

/** Signs of a formula within a text that may be wider than a phone. */
const LONG_FORMULA = 20;
const FORMULAS = 'code.language-math-inline, code.language-math-display, pre > code.language-math';

/** Makes room for drawings in place of the words that describe them. */
export function dressDrawings(root: HTMLElement): readonly DrawingPlace[] {
  const places: DrawingPlace[] = [];
  for (const code of root.querySelectorAll<HTMLElement>('pre > code.language-mermaid')) places.push(diagramPlace(code));
  for (const code of root.querySelectorAll<HTMLElement>(FORMULAS)) places.push(formulaPlace(code));
  return places;
}

function diagramPlace(code: HTMLElement): DrawingPlace {
  const source = code.textContent;
  const face = element('div', 'face', $localize`Drawing…`);
  makeScroller(face, $localize`Diagram`);
  const block = element('pre', '', element('code', '', source));
  makeScroller(block, $localize`Source of the diagram`);
  const words = element('details', '', element('summary', '', $localize`Source of the diagram`), block);
  code.parentElement?.replaceWith(element('figure', 'diagram', face, words));
  return { kind: 'diagram', source, display: true, face, words };
}

function formulaPlace(code: HTMLElement): DrawingPlace {
  const source = code.textContent;
  const display = !code.classList.contains('language-math-inline');
  const face = element('span', display ? 'formula display' : 'formula', element('code', '', source));
  if (display) makeScroller(face, $localize`Formula`);
  const block = code.closest('pre');
  (block ?? code).replaceWith(block ? element('div', '', face) : face);
  return { kind: 'formula', source, display, face };
}

/** Draws everything that comes near the screen. */
export function drawAll(places: readonly DrawingPlace[], tools: DrawingTools): void {
  for (const place of places) whenNear(place.face, () => void drawOne(place, tools), tools.signal);
}

async function drawOne(place: DrawingPlace, { draw, dark, signal }: DrawingTools): Promise<void> {
  const { kind, source, display, face } = place;
  try {
    const drawing = await draw({ kind, source, display, dark }, signal);
    if (signal.aborted) return;
    if (drawing.kind === 'diagram') face.replaceChildren(diagram(drawing, source, signal));
    else showFormula(place, drawing.mathml);
  } catch (error) {
    if (!signal.aborted) showFault(place, error instanceof Error ? error.message : '');
  }
}

function showFormula({ display, face }: DrawingPlace, mathml: string): void {
  face.innerHTML = sanitizeFormula(mathml);
  if (display || face.textContent.length <= LONG_FORMULA) return;
  face.classList.add('long');
  face.tabIndex = 0;
}

/** As a picture: nothing in it runs, is fetched or can be pressed. */
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

function showFault({ kind, source, face, words }: DrawingPlace, reason: string): void {
  const what = kind === 'diagram' ? $localize`This diagram cannot be drawn.` : $localize`This formula cannot be drawn.`;
  const fault = element('span', 'fault', `${what} ${reason}`);
  if (kind === 'diagram') face.replaceChildren(fault);
  else face.replaceChildren(element('code', '', source), ' ', fault);
  if (words) words.open = true;
}

function firstWords(source: string): string {
  const words = source.replace(/\s+/g, ' ').trim();
  return words.length > 80 ? `${words.slice(0, 80)}…` : words;
}
