/**
 * Why a local server could not be started, in words for the person at the terminal.
 * The one exception of this library: without its database or its message server nothing can go on, so nobody handles a
 * value here. Every message names the setting or the step that helps.
 */
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
