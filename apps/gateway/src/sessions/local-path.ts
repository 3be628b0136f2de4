/** Where somebody goes on after signing in: a path of this gateway, whatever the address says that led here. */
const pathLengthMax = 2_048;
/** Printable characters, without a backslash, which browsers take for a slash. */
const pathShape = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;

/** These change who is signed in: nobody is led on to them by an address that somebody else made. */
const signingPath = /^\/+sign-(?:in|out)(?:\/|$)/;

/** The path as it is routed: browsers resolve its dots, and the router decodes what is left. */
const routedPathOf = (text: string): string | undefined => {
  try {
    return decodeURIComponent(new URL(text, 'http://gateway').pathname);
  } catch {
    return undefined;
  }
};

/** The front page for what is no path of this gateway, and for those of signing in and out. */
export const localPathOf = (text: string | null | undefined): string => {
  if (typeof text !== 'string' || text.length > pathLengthMax || !pathShape.test(text)) return '/';
  const path = routedPathOf(text);
  return path === undefined || signingPath.test(path) ? '/' : text;
};
