/** Class names in one text; what is false or undefined is left out. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ');
