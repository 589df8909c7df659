import { drawing, element, makeScroller } from './elements';

const COPIED_MS = 2_000;

export interface CodeTools {
  /** Whether it could be copied. */
  readonly copy: (text: string) => boolean;
  readonly signal: AbortSignal;
}

/** Gives code blocks their language, a way to copy them, and colours when these have arrived. */
export function dressCode(root: HTMLElement, tools: CodeTools): void {
  const painted: { code: HTMLElement; language: string }[] = [];
  for (const block of root.querySelectorAll('pre')) {
    // The words behind a diagram stand in a frame already.
    if (block.closest('.diagram')) continue;
    makeScroller(block, $localize`Code`);
    const code = block.querySelector<HTMLElement>(':scope > code');
    if (!code) continue;
    const language = /^language-(.+)$/.exec(code.className)?.[1] ?? '';
    const bar = element('div', 'bar', element('span', '', language), copyButton(code.textContent, tools));
    const frame = element('div', 'code');
    block.replaceWith(frame);
    frame.append(bar, block);
    if (language) painted.push({ code, language });
  }
  if (painted.length > 0) void paintAll(painted, tools.signal);
}

async function paintAll(
  blocks: readonly { code: HTMLElement; language: string }[],
  signal: AbortSignal,
): Promise<void> {
  try {
    const { paintFor } = await import('../code/paint');
    for (const { code, language } of blocks) {
      const text = code.textContent;
      const paint = await paintFor(text, { name: language, file: `x.${language}` });
      if (signal.aborted) return;
      if (paint) code.replaceChildren(paint.part(0, text.length));
    }
  } catch {
    // Without its colours the code is as good; offline they may not be there.
  }
}

function copyButton(text: string, { copy, signal }: CodeTools): HTMLButtonElement {
  const button = element('button', 'icon-button', drawing('copy'));
  button.type = 'button';
  const say = (words: string, name: 'copy' | 'check'): void => {
    button.ariaLabel = words;
    button.title = words;
    button.replaceChildren(drawing(name));
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
