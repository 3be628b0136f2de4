/** Where somebody goes on after signing in: a path of this gateway, whatever the address says that led here. */
const pathLengthMax = 2_048;
/** Printable characters, without a backslash, which browsers take for a slash. */
const pathShape = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;

/** The front page for what is no path of this gateway. */
export const localPathOf = (text: string | null | undefined): string =>
  typeof text === 'string' && text.length <= pathLengthMax && pathShape.test(text) ? text : '/';
