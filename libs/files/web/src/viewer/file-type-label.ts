const NAMED: Readonly<Record<string, () => string>> = {
  md: () => $localize`Markdown`,
  mdx: () => $localize`Markdown with components`,
  json: () => $localize`JSON`,
  pdf: () => $localize`PDF document`,
  txt: () => $localize`Text`,
};

/** The translated name of a file type, by file extension and content type. */
export function fileTypeLabel(name: string, contentType: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  const lower = extension?.toLowerCase() ?? '';
  const named = Object.hasOwn(NAMED, lower) ? NAMED[lower] : undefined;
  if (named) return named();
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
