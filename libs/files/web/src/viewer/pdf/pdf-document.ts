import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist';

/** Limits the memory for one page. */
const MAX_PIXELS = 16_000_000;

GlobalWorkerOptions.workerSrc = '/vendor/pdf.worker.min.mjs';

export interface PageSize {
  /** In points. */
  readonly width: number;
  readonly height: number;
}

/** Why a document cannot be shown. */
export type PdfOpenError = 'locked' | 'broken';

/** A PDF document, parsed in a worker served from this origin. No scripts in it are executed. */
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
      // The content security policy does not allow compiling WebAssembly.
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

  /**
   * Draws a page, with an invisible text layer over it for selecting and searching.
   * @param width in CSS pixels.
   */
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
