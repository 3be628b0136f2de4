/**
 * `tessera completion`: a script for a shell that completes commands, options and the words that an argument or an option may
 * have. Made of the declarations of the commands, so it knows what the help knows.
 */
import type { Argument, Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

type Word = { readonly word: string; readonly means: string };

/** What may come after the words of `path`; `keys create`, or nothing for the program itself. */
type Place = {
  readonly path: readonly string[];
  readonly words: readonly Word[];
  /** The words that an option may have, by how it is written. */
  readonly values: readonly { readonly option: string; readonly words: readonly string[] }[];
};

const placesOf = (command: Command, path: readonly string[] = []): readonly Place[] => {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const place = {
    path,
    words: [
      ...commands.map((below) => ({ word: below.name(), means: below.summary() || below.description() })),
      ...command.registeredArguments.flatMap(wordsOf),
      ...options.map((option) => ({ word: nameOf(option), means: option.description })),
    ],
    values: options.flatMap((option) =>
      option.argChoices === undefined ? [] : [{ option: nameOf(option), words: option.argChoices }],
    ),
  };
  return [place, ...commands.flatMap((below) => placesOf(below, [...path, below.name()]))];
};

const wordsOf = (argument: Argument): readonly Word[] =>
  (argument.argChoices ?? []).map((word) => ({ word, means: argument.description }));

const nameOf = (option: Option): string => option.long ?? option.short ?? option.flags;

/** For a shell: nothing between the quotes means anything. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const joinWords = (words: readonly { readonly word: string }[]): string => words.map(({ word }) => word).join(' ');

/** The branches of a `case` over the words that lead to a place, in the language that bash and zsh share. */
const pathCases = (places: readonly Place[]): string =>
  places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => quote(` ${path.join(' ')}`))
    .join('|');

const bashScript = (places: readonly Place[]): string => `_tessera() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} place= words= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in ${pathCases(places)}) place="$place $word" ;; esac
  done
  case "$place" in
${places.map(({ path, words }) => `    ${quote(path.map((word) => ` ${word}`).join(''))}) words=${quote(joinWords(words))} ;;`).join('\n')}
  esac
  case "$place $before" in
${valuesOf(places)
  .map(
    ({ path, option, words }) => `    ${quote(` ${[...path, option].join(' ')}`)}) words=${quote(words.join(' '))} ;;`,
  )
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _tessera tessera`;

const valuesOf = (places: readonly Place[]) =>
  places.flatMap(({ path, values }) => values.map(({ option, words }) => ({ path, option, words })));

/** A colon ends the word of a description. */
const zshDescription = ({ word, means }: Word): string => quote(`${word.replaceAll(':', '\\:')}:${means}`);

const zshScript = (places: readonly Place[]): string => `#compdef tessera
_tessera() {
  local place= word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in (${pathCases(places)}) place="$place $word" ;; esac
  done
  case "$place $words[CURRENT-1]" in
${valuesOf(places)
  .map(
    ({ path, option, words }) =>
      `    (${quote(` ${[...path, option].join(' ')}`)}) compadd -- ${words.join(' ')}; return ;;`,
  )
  .join('\n')}
  esac
  case "$place" in
${places
  .map(
    ({ path, words }) =>
      `    (${quote(path.map((word) => ` ${word}`).join(''))}) candidates=(${words.map(zshDescription).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe tessera candidates
  _files
}
compdef _tessera tessera`;

const fishScript = (places: readonly Place[]): string => {
  const paths = new Set(places.map(({ path }) => path.join(' ')));
  const lines = places.flatMap(({ path, words, values }) =>
    words.map(({ word, means }) => {
      const at = `-n ${quote(`__tessera_at ${quote(path.join(' '))}`)} -d ${quote(means)}`;
      if (!word.startsWith('--'))
        return `complete -c tessera ${at} ${paths.has([...path, word].join(' ')) ? '-f ' : ''}-a ${quote(word)}`;
      const choices = values.find(({ option }) => option === word);
      return `complete -c tessera ${at} -l ${quote(word.slice(2))}${choices === undefined ? '' : ` -x -a ${quote(choices.words.join(' '))}`}`;
    }),
  );
  return `function __tessera_at
  set -l place
  for word in (commandline -opc)[2..]
    switch (string join ' ' $place $word)
      case ${[...paths]
        .filter((path) => path !== '')
        .map(quote)
        .join(' ')}
        set -a place $word
    end
  end
  test (string join ' ' -- $place) = $argv[1]
end
${lines.join('\n')}`;
};

const scriptsByShell = { bash: bashScript, zsh: zshScript, fish: fishScript } as const satisfies Readonly<
  Record<Shell, (places: readonly Place[]) => string>
>;

export const createCompletionScript = (program: Command, shell: Shell): string =>
  scriptsByShell[shell](placesOf(program));
