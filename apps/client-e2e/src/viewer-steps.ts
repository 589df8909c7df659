import { encodeFilePath } from '@homeport/files/contracts';
import type { Page } from '@playwright/test';
import { url } from './pages';

/** Opens a file by its key. */
export async function openInViewer(page: Page, key: string, rest = ''): Promise<void> {
  await page.goto(`${url}/view/${encodeFilePath(key)}${rest}`);
}

/** A PDF document with two pages of the same text. */
export function pdfOf(words: string, catalog = ''): Uint8Array {
  const content = `BT /F1 28 Tf 72 700 Td (${words}) Tj ET`;
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>';
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>',
    page,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    page,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(file, 'latin1');
}

/** A PNG image of 16 × 16 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAJElEQVR42mNk+M/wn4ECwEiJ5lEDRg0YNWDUgFEDRg0YbgYAAJ0dD/EYjZUxAAAAAElFTkSuQmCC',
  'base64',
);
