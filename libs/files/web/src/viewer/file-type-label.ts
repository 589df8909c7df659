/** Names of languages and formats, which are the same in every language. */
const PROPER_NAMES = new Map(
  Object.entries({
    ...{ c: 'C', cpp: 'C++', cs: 'C#', css: 'CSS', csv: 'CSV', go: 'Go', html: 'HTML', java: 'Java', js: 'JavaScript' },
    ...{ jsx: 'JavaScript', kt: 'Kotlin', mjs: 'JavaScript', php: 'PHP', py: 'Python', rb: 'Ruby', rs: 'Rust' },
    ...{ scss: 'SCSS', sql: 'SQL', swift: 'Swift', toml: 'TOML', ts: 'TypeScript', tsx: 'TypeScript' },
    ...{ xml: 'XML', yaml: 'YAML', yml: 'YAML' },
  }),
);

const NAMED: Readonly<Record<string, () => string>> = {
  md: () => $localize`Markdown`,
  mdx: () => $localize`Markdown with components`,
  json: () => $localize`JSON`,
  pdf: () => $localize`PDF document`,
  txt: () => $localize`Text`,
  log: () => $localize`Log`,
  sh: () => $localize`Shell script`,
};

/** The translated name of a file type, by file extension and content type. */
export function fileTypeLabel(name: string, contentType: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  const lower = extension?.toLowerCase() ?? '';
  const named = Object.hasOwn(NAMED, lower) ? NAMED[lower] : undefined;
  if (named) return named();
  const properName = PROPER_NAMES.get(lower);
  if (properName) return properName;
  const type = extension?.toUpperCase();
  switch (contentType.split('/')[0]) {
    case 'image':
      return type ? $localize`${type}:type: image` : $localize`Image`;
    case 'audio':
      return type ? $localize`${type}:type: sound` : $localize`Sound`;
    case 'video':
      return type ? $localize`${type}:type: video` : $localize`Video`;
    case 'font':
      return type ? $localize`${type}:type: font` : $localize`Font`;
    default:
      return type ? $localize`${type}:type: file` : $localize`File`;
  }
}

/** Whether a content type is known not to be text. SVG is text. */
export function isKnownBinary(contentType: string): boolean {
  return (
    /^(audio|font|video)\/|^image\/(?!svg)/i.test(contentType) ||
    /^application\/(pdf|gzip|zip|wasm|vnd\.openxmlformats)/i.test(contentType)
  );
}
