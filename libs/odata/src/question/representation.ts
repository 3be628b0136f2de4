/** How an answer is written, decided from `$format`, `Accept` and the versions that a client takes. */
export type ODataVersion = '4.0' | '4.01';

/** What is answered. */
export type AnswerKind = 'service' | 'metadata' | 'entries' | 'entry' | 'count';

export type MetadataLevel = 'none' | 'minimal' | 'full';

export type Representation = {
  readonly version: ODataVersion;
  /** As it is sent, with the parameters that were asked for. */
  readonly contentType: string;
  readonly format:
    | { readonly kind: 'json'; readonly metadata: MetadataLevel; readonly ieee754Compatible: boolean }
    | { readonly kind: 'xml' }
    | { readonly kind: 'text' };
};
