import { iconElement, element, makeScrollable } from './elements';

const COPIED_MS = 2_000;

export interface CodeBlockOptions {
  /** Copies a text; returns whether it succeeded. */
  readonly copy: (text: string) => boolean;
  readonly signal: AbortSignal;
}

/** Adds the language and a copy button to code blocks, and highlights them once the grammars are loaded. */
export function highlightCodeBlocks(root: HTMLElement, options: CodeBlockOptions): void {
  const highlightable: { code: HTMLElement; language: string }[] = [];
  for (const block of root.querySelectorAll('pre')) {
    // The source of a diagram already has a frame.
    if (block.closest('.diagram')) continue;
    makeScrollable(block, $localize`Code`);
    const code = block.querySelector<HTMLElement>(':scope > code');
    if (!code) continue;
    const language = /^language-(.+)$/.exec(code.className)?.[1] ?? '';
    const bar = element('div', 'bar', element('span', '', language), copyButton(code.textContent, options));
    const frame = element('div', 'code');
    block.replaceWith(frame);
    frame.append(bar, block);
    if (language) highlightable.push({ code, language });
  }
  if (highlightable.length > 0) void highlightAll(highlightable, options.signal);
}

async function highlightAll(
  blocks: readonly { code: HTMLElement; language: string }[],
  signal: AbortSignal,
): Promise<void> {
  try {
    const { createHighlighter } = await import('../code/highlighter');
    for (const { code, language } of blocks) {
      const text = code.textContent;
      const highlighter = await createHighlighter(text, { name: language, file: `x.${language}` });
      if (signal.aborted) return;
      if (highlighter) code.replaceChildren(highlighter.fragment(0, text.length));
    }
  } catch {
    // Highlighting is optional; offline, the grammars may not be available.
  }
}

function copyButton(text: string, { copy, signal }: CodeBlockOptions): HTMLButtonElement {
  const button = element('button', 'icon-button', iconElement('copy'));
  button.type = 'button';
  const setLabel = (words: string, name: 'copy' | 'check'): void => {
    button.ariaLabel = words;
    button.title = words;
    button.replaceChildren(iconElement(name));
  };
  setLabel($localize`Copy code`, 'copy');
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', () => {
    const copied = copy(text);
    setLabel(copied ? $localize`Copied` : $localize`Could not copy`, copied ? 'check' : 'copy');
    clearTimeout(timer);
    timer = setTimeout(() => setLabel($localize`Copy code`, 'copy'), COPIED_MS);
  });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return button;
}
