import { S3Error } from './errors.ts';

const CRLF = Buffer.from('\r\n');
/** Longer than any chunk header with a signature or any trailer line. */
const MAX_LINE_BYTES = 4096;
const MAX_TRAILERS = 20;

type State = 'size' | 'data' | 'data-end' | 'trailers' | 'done';

/**
 * Decodes the `aws-chunked` framing: `<hex size>[;chunk-signature=…]CRLF <bytes> CRLF … 0 CRLF trailers CRLF`. Does not
 * verify the signatures of chunks: the request is signed, and the trailing checksum and the announced length detect
 * damage. Returns views of the input, without copies.
 */
export class ChunkedDecoder {
  readonly trailers = new Map<string, string>();
  private state: State = 'size';
  /** Remaining bytes of the current chunk. */
  private remaining = 0;
  /** The beginning of an incomplete line. */
  private partialLine: Buffer = Buffer.alloc(0);

  /** Returns the payload in these bytes. Throws InvalidChunk. */
  decode(bytes: Buffer): Buffer[] {
    const payload: Buffer[] = [];
    let rest = bytes;
    while (rest.length > 0) {
      if (this.state === 'data') {
        const piece = rest.subarray(0, this.remaining);
        payload.push(piece);
        rest = rest.subarray(piece.length);
        this.remaining -= piece.length;
        if (this.remaining === 0) this.state = 'data-end';
      } else {
        rest = this.takeLine(rest);
      }
    }
    return payload;
  }

  /** Throws IncompleteBody when the last chunk has not arrived. */
  finish(): void {
    const ended = this.state === 'done' || (this.state === 'trailers' && this.partialLine.length === 0);
    if (!ended) throw new S3Error('IncompleteBody');
  }

  private takeLine(bytes: Buffer): Buffer {
    const joined = this.partialLine.length > 0 ? Buffer.concat([this.partialLine, bytes]) : bytes;
    const end = joined.indexOf(CRLF);
    if (end > MAX_LINE_BYTES || (end < 0 && joined.length > MAX_LINE_BYTES)) throw new S3Error('InvalidChunk');
    if (end < 0) {
      this.partialLine = joined;
      return Buffer.alloc(0);
    }
    this.partialLine = Buffer.alloc(0);
    this.acceptLine(joined.toString('latin1', 0, end));
    return joined.subarray(end + CRLF.length);
  }

  private acceptLine(line: string): void {
    if (this.state === 'size') {
      const match = /^([0-9a-fA-F]{1,12})(;|$)/.exec(line);
      if (!match) throw new S3Error('InvalidChunk');
      this.remaining = parseInt(match[1] ?? '', 16);
      this.state = this.remaining > 0 ? 'data' : 'trailers';
    } else if (this.state === 'data-end') {
      if (line !== '') throw new S3Error('InvalidChunk');
      this.state = 'size';
    } else if (this.state === 'trailers') {
      this.acceptTrailer(line);
    } else {
      throw new S3Error('InvalidChunk');
    }
  }

  private acceptTrailer(line: string): void {
    if (line === '') {
      this.state = 'done';
      return;
    }
    const colon = line.indexOf(':');
    if (colon <= 0 || this.trailers.size >= MAX_TRAILERS) throw new S3Error('InvalidChunk');
    this.trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}
