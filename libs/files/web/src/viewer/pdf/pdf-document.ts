import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist';

/** More pixels would cost more memory than a page is worth. */
const MAX_PIXELS = 16_000_000;

GlobalWorkerOptions.workerSrc = '/vendor/pdf.worker.min.mjs';

export interface PageSize {
  /** In points. */
  readonly width: number;
  readonly height: number;
}

/** Why a document cannot be shown. */
export type PdfOpenError = 'locked' | 'broken';

/** A PDF document that is read by a worker of our own; nothing else is fetched, and no script in it runs. */
export class PdfDocument {
  readonly #document: PDFDocumentProxy;
  readonly firstSize: PageSize;

  private constructor(document: PDFDocumentProxy, firstSize: PageSize) {
    this.#document = document;
    this.firstSize = firstSize;
  }

  static async open(bytes: Blob): Promise<PdfDocument | PdfOpenError> {
    const task = getDocument({
      data: new Uint8Array(await bytes.arrayBuffer()),
      standardFontDataUrl: '/vendor/fonts/',
      cMapUrl: '/vendor/cmaps/',
      cMapPacked: true,
      // Compiling it is not allowed on our pages.
      useWasm: false,
      enableXfa: false,
    });
    try {
      const document = await task.promise;
      return new PdfDocument(document, sizeOf(await document.getPage(1)));
    } catch (error) {
      void task.destroy();
      return error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'broken';
    }
  }

  get pages(): number {
    return this.#document.numPages;
  }

  /** Draws a page as wide as asked for, with its words over it to select and to search. */
  async draw(number: number, width: number, box: HTMLElement, signal: AbortSignal): Promise<PageSize> {
    const page = await this.#document.getPage(number);
    const size = sizeOf(page);
    const scale = width / size.width;
    const sharpness = Math.min(devicePixelRatio, Math.sqrt(MAX_PIXELS / (width * size.height * scale)));
    const canvas = document.createElement('canvas');
    const viewport = page.getViewport({ scale: scale * sharpness });
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    const drawing = page.render({ canvas, viewport });
    signal.addEventListener('abort', () => drawing.cancel(), { once: true });
    await drawing.promise;
    const words = document.createElement('div');
    words.className = 'words';
    box.style.setProperty('--total-scale-factor', String(scale));
    box.replaceChildren(canvas, words);
    await new TextLayer({
      textContentSource: page.streamTextContent(),
      container: words,
      viewport: page.getViewport({ scale }),
    }).render();
    return size;
  }

  close(): void {
    void this.#document.loadingTask.destroy();
  }
}

function sizeOf(page: PDFPageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}
