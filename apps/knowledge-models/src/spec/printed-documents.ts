/**
 * Documents of a model, printed once for all who see the same of it, and told apart by their ETags. The gateway keeps them
 * for as long as the header `tessera-fresh-for` says.
 */
import { hash } from 'node:crypto';
import { type ByteReply, freshForHeader, isNoneMatch } from '@tessera/contracts';
import { LRUCache } from 'lru-cache';

type PrintedDocument = { readonly body: Uint8Array; readonly etag: string };
type DocumentReply = Pick<ByteReply, 'contentType' | 'headers'> & {
  readonly ifNoneMatch: string | undefined;
  readonly freshForMs: number;
};

const bytesMax = 16 * 1024 * 1024;

export class PrintedDocuments {
  readonly #documents = new LRUCache<string, PrintedDocument>({
    maxSize: bytesMax,
    sizeCalculation: ({ body }, name) => body.byteLength + name.length,
  });
  readonly #subjectNumbers = new WeakMap<object, number>();
  #lastSubject = 0;

  /** `subject`: what the document shows; `name` tells its documents apart. */
  find(subject: object, name: string, print: () => string): PrintedDocument {
    const number = this.#subjectNumbers.get(subject) ?? ++this.#lastSubject;
    this.#subjectNumbers.set(subject, number);
    const key = `${number} ${name}`;
    const known = this.#documents.get(key);
    if (known) return known;
    const body = Buffer.from(print());
    // Weak: it is the same for the document and for its compressed form.
    const document = { body, etag: `W/"${hash('sha256', body, 'base64url')}"` };
    this.#documents.set(key, document);
    return document;
  }
}

/** 304 for who has it already. */
export const createDocumentReply = (
  { body, etag }: PrintedDocument,
  { contentType, headers, ifNoneMatch, freshForMs }: DocumentReply,
): ByteReply => {
  const fresh = freshForMs < 1 ? {} : { [freshForHeader]: String(Math.floor(freshForMs)) };
  const isKnown = !isNoneMatch(ifNoneMatch, etag);
  return {
    ...(isKnown && { status: 304 }),
    contentType,
    headers: { ...headers, etag, ...fresh },
    body: isKnown ? new Uint8Array(0) : body,
  };
};
