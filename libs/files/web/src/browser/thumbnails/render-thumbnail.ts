import { pictureSize } from './picture-size';

/** Decoding takes 4 bytes for each pixel. */
const MAX_PIXELS = 40_000_000;
/** Twice the size in the list, for dense screens. */
const SIDE = 72;

/**
 * Renders the middle of a picture as a small square.
 * @param type the MIME type: the browser decodes the content as this type and nothing else.
 * @throws the picture is damaged, has too many pixels or an unknown format.
 */
export async function renderThumbnail(content: Blob, type: string): Promise<Blob> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const size = pictureSize(bytes);
  if (!size || size.width * size.height > MAX_PIXELS) throw new Error('The picture is too large or damaged.');
  const picture = await createImageBitmap(new Blob([bytes], { type }));
  try {
    const side = Math.min(picture.width, picture.height);
    const canvas = new OffscreenCanvas(SIDE, SIDE);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('There is no canvas.');
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
    return await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
  } finally {
    picture.close();
  }
}
