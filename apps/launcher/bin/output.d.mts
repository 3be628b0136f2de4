/** Types of output.mjs, which runs before anything is installed. */
type Stream = { readonly isTTY?: boolean; readonly columns?: number; readonly write: (text: string) => unknown };

type Step = {
  /** How far it is. */
  readonly tell: (detail: string) => void;
  /** Without `done` nothing is said. */
  readonly end: (done?: string) => void;
};

type OutputOptions = { readonly json?: boolean; readonly paint?: (source: string, padded: string) => string };

export type Output = {
  readonly line: (source: string, text: string, time?: string) => void;
  readonly begin: (title: string) => Step;
  /** As it is. */
  readonly raw: (text: string) => void;
};

export const openOutput: (stream: Stream, options?: OutputOptions) => Output;
export const timeOfDay: (date?: Date) => string;
