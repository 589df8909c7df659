import { iconElement, element, makeScrollable } from './elements';

const COPIED_MS = 2_000;

export interface CodeBlockOptions {
  /** Whether it could be copied. */
  readonly copy: (text: string) => boolean;
  readonly signal: AbortSignal;
}

/** Gives code blocks their language, a way to copy them, and colours when these have arrived. */
export function highlightCodeBlocks(root: HTMLElement, tools: CodeBlockOptions): void {
  const highlightable: { code: HTMLElement; language: string }[] = [];
  for (const block of root.querySelectorAll('pre')) {
    // The words behind a diagram stand in a frame already.
    if (block.closest('.diagram')) continue;
    makeScrollable(block, $localize`Code`);
    const code = block.querySelector<HTMLElement>(':scope > code');
    if (!code) continue;
    const language = /^language-(.+)$/.exec(code.className)?.[1] ?? '';
    const bar = element('div', 'bar', element('span', '', language), copyButton(code.textContent, tools));
    const frame = element('div', 'code');
    block.replaceWith(frame);
    frame.append(bar, block);
    if (language) highlightable.push({ code, language });
  }
  if (highlightable.length > 0) void highlightAll(highlightable, tools.signal);
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
    // Without its colours the code is as good; offline they may not be there.
  }
}

function copyButton(text: string, { copy, signal }: CodeBlockOptions): HTMLButtonElement {
  const button = element('button', 'icon-button', iconElement('copy'));
  button.type = 'button';
  const say = (words: string, name: 'copy' | 'check'): void => {
    button.ariaLabel = words;
    button.title = words;
    button.replaceChildren(iconElement(name));
  };
  say($localize`Copy code`, 'copy');
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', () => {
    const copied = copy(text);
    say(copied ? $localize`Copied` : $localize`Could not copy`, copied ? 'check' : 'copy');
    clearTimeout(timer);
    timer = setTimeout(() => say($localize`Copy code`, 'copy'), COPIED_MS);
  });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return button;
}
