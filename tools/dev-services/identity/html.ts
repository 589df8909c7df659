/** Safe markup: all interpolated values are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Interpolated = string | Html | readonly Html[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template tag that escapes strings, for text and quoted attributes, and inserts other markup unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly Interpolated[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}

function render(value: Interpolated): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  return value.map((item) => item.text).join('');
}
