const EXTENSIONS = {
  markdown: 'md mdx markdown',
  text: 'txt log text rst adoc',
  json: 'jsonc? jsonl ndjson geojson webmanifest',
  code: 'ya?ml toml xml html? s?css less [cm]?[jt]sx? vue svelte py rb go rs java kt swift c h cc cpp hpp cs php sh bash zsh ps1 sql tf lua r pl ini env',
  sheet: 'csv tsv xlsx? ods numbers parquet',
  image: 'png jpe?g gif webp avif svg ico bmp heic tiff?',
  pdf: 'pdf',
  archive: 'zip tar gz tgz bz2 xz 7z rar zst',
  audio: 'mp3 wav flac ogg m4a aac opus',
  video: 'mp4 mov webm mkv avi m4v',
};
export type FileKind = keyof typeof EXTENSIONS | 'other';

const PATTERNS = Object.entries(EXTENSIONS).map(
  ([kind, list]) => [kind as FileKind, new RegExp(`\\.(${list.replaceAll(' ', '|')})$`, 'i')] as const,
);

/** The kind of a file, by its extension. */
export function fileKind(name: string): FileKind {
  return PATTERNS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other';
}
