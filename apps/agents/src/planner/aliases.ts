/** What a team calls things, read from the instructions of its agent. Never makes a question longer than the limit. */
import { isWithinQuestionLimit } from './question-limits.js';

export type Alias = { readonly word: RegExp; readonly meaning: string };

const aliasesMax = 200;
const lineMax = 300;

/** Lines of the instructions as `Valencia = plant 2010` say what the team calls things. */
export const parseAliases = (instructions: string): readonly Alias[] =>
  instructions
    .split(/[\r\n]/)
    .flatMap((line) => aliasIn(line) ?? [])
    .slice(0, aliasesMax);

const aliasIn = (line: string): Alias | undefined => {
  const at = line.indexOf('=');
  if (at < 0 || line.length > lineMax) return undefined;
  const word = removeQuotes(line.slice(0, at).replace(/^[ \t>*-]+/, ''));
  const meaning = removeQuotes(line.slice(at + 1).replace(/[ \t.]+$/, ''));
  if (!/^[\p{L}\p{N}][^"]{0,60}$/u.test(word) || !/^[^"]{1,100}$/.test(meaning)) return undefined;
  return { word: new RegExp(`(?<![\\p{L}\\p{N}])${escapeForPattern(word)}(?![\\p{L}\\p{N}])`, 'giu'), meaning };
};

const removeQuotes = (text: string): string => text.trim().replace(/^"/, '').replace(/"$/, '').trim();

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A meaning may hold other aliases; a question that would not be short any more stays as it is. */
export const expandAliases = (text: string, aliases: readonly Alias[]): string =>
  aliases.reduce((before, { word, meaning }) => {
    const after = before.replace(word, () => meaning);
    return isWithinQuestionLimit(after) ? after : before;
  }, text);
