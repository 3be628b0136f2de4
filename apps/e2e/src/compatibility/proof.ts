/** What a proof is: a test by the file it stands in and its full name. Refuses: to look whether it is there (the spec does). */
export type Proof = {
  /** From the root of the workspace. */
  readonly file: string;
  /** The names of its suites and its own, as they are written in the file, with blanks between. */
  readonly title: string;
};

export type OperationProofs = {
  /** What the specification calls it, e.g. A1. */
  readonly called?: string;
  /** What the answer to a good request is like. */
  readonly success: readonly Proof[];
  /** Member of the request -> what proves its meaning; members of a body by their path, e.g. `elements[].id`. */
  readonly members: Readonly<Record<string, readonly Proof[]>>;
  /** Code of a declared failure -> what proves when it comes. */
  readonly failures: Readonly<Record<string, readonly Proof[]>>;
};

export const none: OperationProofs = { success: [], members: {}, failures: {} };

/** The tests of one suite. */
export const suite =
  (file: string, name: string) =>
  (title: string): Proof => ({ file, title: `${name} ${title}` });
