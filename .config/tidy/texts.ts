/** Checks of documents: links, the form of decisions and of the README, and that no text names the machine it was written on. */
import { posix } from 'node:path';

const linkPattern = /\[[^\]]*\]\(([^)\s]+)\)/g;

/** As a heading is turned into an anchor: lower case, punctuation gone, blanks to hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^#+\s+(.*)$/gm)].map(([, heading = '']) => anchorOf(heading)));

/** Code is quoted, not linked. */
const withoutCode = (text: string): string =>
  text.replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~)/gm, (code) => code.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '');

/** `textAt` answers the text of a path, '' for a folder or what is no text, undefined for what is not there. */
export const linkFaults = (
  path: string,
  text: string,
  textAt: (path: string) => string | undefined,
): readonly string[] =>
  withoutCode(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(linkPattern)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return [];
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), file);
        const found = textAt(target);
        const leads = found !== undefined && (!anchor || !target.endsWith('.md') || anchorsOf(found).has(anchor));
        return leads ? [] : [`${path}:${index + 1} the link ${link} leads nowhere`];
      }),
    );

const registries =
  /\bregistry\.[\w.-]+\.(?:com|org|io|dev|net|cloud)\b|\bnpmjs\.(?:com|org)\b|\bpkg\.dev\b|\bartifactory\b/i;
const localPaths = /(?<![\w.:/-])\/(?:home|work|Users)\/[\w.-]+|(?<![\w.:/-])\/root\/[\w.-]+/;

export const machineFaults = (path: string, text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((line, index) => [
      ...(registries.test(line) ? [`${path}:${index + 1} names a package registry`] : []),
      ...(localPaths.test(line) ? [`${path}:${index + 1} has a path of one machine`] : []),
    ]);

const readmeLinesMax = 100;

/** The README is read on two screens; what is longer belongs into `docs`. */
export const readmeFaults = (text: string): readonly string[] => {
  const lines = text.trimEnd().split('\n').length;
  return lines > readmeLinesMax ? [`README.md has ${lines} lines; ${readmeLinesMax} are allowed`] : [];
};

/** What a decision of docs/decisions lacks: its number, status, date, alternatives, or its line in the list of decisions. */
export const decisionFaults = (path: string, text: string, list: string): readonly string[] => {
  const file = posix.basename(path);
  const number = Number(file.slice(0, 4));
  const status = /^- \*\*Status:\*\* (accepted|superseded by \[\d+\]\(\d{4}-[\w-]+\.md\))$/m.exec(text)?.[1];
  const date = /^- \*\*Date:\*\* (\d{4}-\d{2}-\d{2})$/m.exec(text)?.[1];
  const title = /^# (.*)/.exec(text)?.[1] ?? '';
  const listed = `| [${title.replace(/^\d+\. /, '')}](${file}) | ${status ?? ''} | ${date ?? ''} |`;
  const plainList = list.replace(/ +\| +/g, ' | ').replace(/^\| +/gm, '| ');
  return [
    ...(title.startsWith(`${number}. `) ? [] : ['has no title that begins with its number']),
    ...(status === undefined ? ['has no status, accepted or superseded by a decision'] : []),
    ...(date === undefined ? ['has no date'] : []),
    ...(/^## Alternatives considered\n\n- /m.test(text) ? [] : ['names no alternatives']),
    ...(status && date && !plainList.includes(listed)
      ? ['has no line with its title, status and date in the list']
      : []),
  ].map((fault) => `${path} ${fault}`);
};

/** The figures of the tables that miss their target, without a word about them on the page of answers. */
export const unansweredFigures = (tables: string, answers: string): readonly string[] =>
  [...tables.matchAll(/^\| *([^|\n]+?) *\|.*\| *NO *\|$/gm)]
    .map(([, figure = '']) => figure)
    .filter((figure) => !answers.includes(figure));
