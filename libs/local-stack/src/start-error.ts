/** Thrown when a local server cannot be started; the message names the setting or the step that helps. */
export class StartError extends Error {
  constructor(
    message: string,
    /** The environment variable that solves it, when there is one. */
    readonly setting?: string,
  ) {
    super(message);
    this.name = 'StartError';
  }
}
