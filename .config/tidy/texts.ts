/** Checks that links lead somewhere and that no text names the machine it was written on. */
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
