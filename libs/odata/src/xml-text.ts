/**
 * Texts as values and text of XML that xmlbuilder2 writes: any text may come, and it is read again as it was. U+FFFD
 * stands for what XML 1.0 cannot hold.
 */

/** Not characters of XML; surrogates without their other half are not in a well-formed text. */
const invalidXmlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** A reader would make a space or a line feed of them. */
const escapedSpaces: Readonly<Record<string, string>> = { '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' };

/** The writer takes what looks like a reference for one, `&lt;` in a text as well; so all that are meant are made here. */
export const escapeXmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(invalidXmlCharacters, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll(/[\t\n\r]/g, (space) => escapedSpaces[space] ?? space);
