/**
 * Finds the ends of HTTP/1.1 responses in the bytes of a connection without copying them: the load generator shares its
 * cores with what it measures. Understands Content-Length and chunks, and nothing else.
 */

export type ReceivedResponse = { readonly status: number; readonly bodyBytes: number };

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'last-line';

const headEnd = Buffer.from('\r\n\r\n');
const emptyBuffer = Buffer.alloc(0);
const lineFeed = 0x0a;

export class ResponseReader {
  #state: State = 'head';
  /** What of a head or a chunk size has come so far. */
  #pending: Buffer = emptyBuffer;
  /** Bytes of the body or the chunk that are still to come. */
  #left = 0;
  #status = 0;
  #bodyBytes = 0;

  constructor(
    private readonly onEnd: (response: ReceivedResponse) => void,
    /** Receives the bytes of bodies. */
    private readonly onBody?: (bytes: Buffer) => void,
  ) {}

  push(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0)
      rest = this.#state === 'body' || this.#state === 'chunk' ? this.#take(rest) : this.#line(rest);
  }

  /** Takes bytes of a body; answers what is behind it. */
  #take(bytes: Buffer): Buffer {
    const taken = Math.min(bytes.length, this.#left);
    this.#left -= taken;
    this.#bodyBytes += taken;
    if (this.onBody) this.onBody(bytes.subarray(0, taken));
    if (this.#left === 0) {
      if (this.#state === 'body') this.#end();
      else this.#state = 'chunk-end';
    }
    return bytes.subarray(taken);
  }

  /** Takes bytes up to the end of a head or of a line of the chunked form. */
  #line(bytes: Buffer): Buffer {
    const all = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : bytes;
    const isHead = this.#state === 'head';
    const at = isHead ? all.indexOf(headEnd) : all.indexOf(lineFeed);
    if (at < 0) {
      this.#pending = all;
      return emptyBuffer;
    }
    this.#pending = emptyBuffer;
    const end = at + (isHead ? headEnd.length : 1);
    this.#advance(all.toString('latin1', 0, at));
    return all.subarray(end);
  }

  #advance(text: string): void {
    switch (this.#state) {
      case 'head':
        return this.#beginBody(text);
      case 'chunk-size':
        this.#left = Number.parseInt(text, 16);
        this.#state = this.#left === 0 ? 'last-line' : 'chunk';
        return;
      case 'chunk-end':
        this.#state = 'chunk-size';
        return;
      case 'last-line':
        return this.#end();
      case 'body':
      case 'chunk':
        return;
    }
  }

  #beginBody(head: string): void {
    this.#status = Number(head.slice(9, 12));
    this.#bodyBytes = 0;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error('A response has no length.');
      this.#state = 'chunk-size';
      return;
    }
    this.#left = Number(length);
    this.#state = 'body';
    if (this.#left === 0) this.#end();
  }

  #end(): void {
    this.#state = 'head';
    this.onEnd({ status: this.#status, bodyBytes: this.#bodyBytes });
  }
}
