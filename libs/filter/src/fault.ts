/** Why a text of one of the languages (filters, formulas, OData options) was refused. Each group of interfaces has its own code for it. */
export type ExpressionFault = {
  /** Zero-based character position in the text. */
  readonly position: number;
  /** One sentence: what stands there and what was expected. */
  readonly message: string;
  /** What was broken: `syntax`, `type`, the name of a limit, ... */
  readonly rule: string;
  readonly suggestion?: string;
};

export type Parsing<T, Fault = ExpressionFault> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault };

/** The suggestion, when there is one, is part of the message too. */
export const faultAt = (position: number, rule: string, message: string, suggestion?: string): ExpressionFault => ({
  position,
  message: withSuggestion(message, suggestion),
  rule,
  ...(suggestion !== undefined && { suggestion }),
});

export const withSuggestion = (message: string, suggestion: string | undefined): string =>
  suggestion === undefined ? message : `${message} Did you mean ${suggestion}?`;
