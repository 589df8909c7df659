import type { StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';
import { insertLink, toggleLines, toggleMark } from './markdown-commands';

interface Format {
  readonly id: 'heading' | 'bold' | 'italic' | 'code' | 'link' | 'bullets' | 'numbers' | 'tasks' | 'quote';
  readonly command: StateCommand;
  /** The path of its icon on a 24 × 24 grid, here because only the editor shows it. */
  readonly icon: string;
  /** Pressed with Ctrl, on a Mac with Command. */
  readonly key?: string;
}

/** The formats of the toolbar, in the order of their buttons. */
export const FORMATS: readonly Format[] = [
  { id: 'heading', command: toggleLines('heading'), icon: 'M6 5v14 M18 5v14 M6 12h12' },
  {
    id: 'bold',
    command: toggleMark('**'),
    icon: 'M7.5 5v14h6a3.8 3.8 0 0 0 0-7.6h-6 M7.5 5h5.2a3.2 3.2 0 0 1 0 6.4',
    key: 'b',
  },
  { id: 'italic', command: toggleMark('*'), icon: 'M10.5 5H17 M7 19h6.5 M14 5l-4 14', key: 'i' },
  { id: 'code', command: toggleMark('`'), icon: 'M8.5 7 3.5 12l5 5 M15.5 7l5 5-5 5' },
  {
    id: 'link',
    command: insertLink,
    icon: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2 M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
  },
  {
    id: 'bullets',
    command: toggleLines('bullets'),
    icon: 'M4.5 6.5v.1 M4.5 12v.1 M4.5 17.5v.1 M9 6.5h11 M9 12h11 M9 17.5h11',
  },
  {
    id: 'numbers',
    command: toggleLines('numbers'),
    icon: 'M4 5l1.5-.8v5 M3.8 15.2c.6-1.2 2.7-1 2.7.4 0 1.2-2.7 2.4-2.7 3.9h2.8 M10 6.5h10 M10 12h10 M10 17.5h10',
  },
  {
    id: 'tasks',
    command: toggleLines('tasks'),
    icon: 'M3.5 6.5 5 8l2.5-3 M3.5 16.5 5 18l2.5-3 M11 6.5h9 M11 12h9 M11 17.5h9',
  },
  { id: 'quote', command: toggleLines('quote'), icon: 'M5 5v14 M10 7h10 M10 12h10 M10 17h6' },
];

export function formatLabels(): Readonly<Record<Format['id'], string>> {
  return {
    heading: $localize`Heading`,
    bold: $localize`Bold`,
    italic: $localize`Italic`,
    code: $localize`Code`,
    link: $localize`Link`,
    bullets: $localize`Bulleted list`,
    numbers: $localize`Numbered list`,
    tasks: $localize`Task list`,
    quote: $localize`Quote`,
  };
}

/** The shortcuts of the formats, for the editor. */
export const FORMAT_KEYS: readonly KeyBinding[] = FORMATS.flatMap(({ key, command }) =>
  key === undefined ? [] : [{ key: `Mod-${key}`, run: command, preventDefault: true }],
);
