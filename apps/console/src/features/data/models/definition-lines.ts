/** A definition as JSON, line by line, each with the path of what stands there: `records.0.attributes.2.column`. */
export type DefinitionLine = { readonly text: string; readonly path: string };

const stepsMax = 40;

/** Marks that would change the direction of what stands behind them, also outside of their text. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const escapeDirections = (text: string): string =>
  text.replaceAll(directionMarks, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same text as `JSON.stringify` writes with two spaces, with marks of direction escaped. */
export const linesOfDefinition = (definition: unknown): readonly DefinitionLine[] => [
  ...linesOf(definition, { path: '', indent: '', before: '', after: '' }),
];

type Place = { readonly path: string; readonly indent: string; readonly before: string; readonly after: string };

function* linesOf(value: unknown, { path, indent, before, after }: Place): Generator<DefinitionLine> {
  const isList = Array.isArray(value);
  const entries = isComposite(value) ? Object.entries(value).filter(([, each]) => each !== undefined) : [];
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) {
    const text = isComposite(value) ? `${open}${close}` : (JSON.stringify(value) ?? 'null');
    yield { text: escapeDirections(`${indent}${before}${text}${after}`), path };
    return;
  }
  yield { text: escapeDirections(`${indent}${before}${open}`), path };
  for (const [at, [name, each]] of entries.entries())
    yield* linesOf(each, {
      path: path === '' ? name : `${path}.${name}`,
      indent: `${indent}  `,
      before: isList ? '' : `${JSON.stringify(name)}: `,
      after: at === entries.length - 1 ? '' : ',',
    });
  yield { text: `${indent}${close}${after}`, path };
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** From 1: of the path, or of the nearest thing around it. */
export const lineOfPath = (lines: readonly DefinitionLine[], path: string): number => {
  let wanted = path;
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const at = lines.findIndex((line) => line.path === wanted);
    if (at >= 0) return at + 1;
    wanted = wanted.includes('.') ? wanted.slice(0, wanted.lastIndexOf('.')) : '';
  }
  return 1;
};
