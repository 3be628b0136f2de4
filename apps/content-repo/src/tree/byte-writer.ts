/**
 * Stored text -> byte pieces of about a quarter of a megabyte for one caller: the mark in front of every address becomes
 * the public URL. Text is gathered in small strings and encoded into one buffer, which costs half of joining everything
 * first and leaves no large strings behind for the collector.
 * Refuses: to touch a piece that was taken.
 */
import { withPublicUrl } from '../elements/mark.js';

const pieceBytes = 262_144;
const gatheredLength = 16_384;
/** UTF-8 of one UTF-16 code unit, at most. */
const bytesPerUnit = 3;

export class ByteWriter {
  readonly #publicUrl: string;
  #text = '';
  #buffer = Buffer.allocUnsafe(0);
  #used = 0;
  #ready: Uint8Array[] = [];

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  put(text: string): void {
    this.#text += text;
    if (this.#text.length >= gatheredLength) this.#encode();
  }

  /** The pieces that are complete; they are the caller's from now on. */
  complete(): readonly Uint8Array[] {
    if (this.#ready.length === 0) return none;
    const pieces = this.#ready;
    this.#ready = [];
    return pieces;
  }

  /** All that is left. */
  rest(): readonly Uint8Array[] {
    this.#encode();
    this.#closePiece();
    return this.complete();
  }

  #encode(): void {
    const text = withPublicUrl(this.#text, this.#publicUrl);
    this.#text = '';
    const bytesMax = text.length * bytesPerUnit;
    if (this.#used + bytesMax > this.#buffer.length) this.#closePiece();
    if (bytesMax > pieceBytes) {
      this.#ready.push(Buffer.from(text));
      return;
    }
    if (this.#buffer.length === 0) this.#buffer = Buffer.allocUnsafe(pieceBytes);
    this.#used += this.#buffer.write(text, this.#used, 'utf8');
  }

  #closePiece(): void {
    if (this.#used > 0) this.#ready.push(this.#buffer.subarray(0, this.#used));
    this.#buffer = Buffer.allocUnsafe(0);
    this.#used = 0;
  }
}

const none: readonly Uint8Array[] = [];
