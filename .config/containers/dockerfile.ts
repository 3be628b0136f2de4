/**
 * The rules of a Dockerfile: versions, existing stages, an ordinary user, a health check, no shell around the program,
 * no secret in the image.
 */
import { DockerfileParser, From, type Copy, type Instruction, JSONInstruction } from 'dockerfile-ast';

const isVersion = (tag: string): boolean => /\d+\.\d+/.test(tag);
const secretName = /PASSWORD|SECRET|TOKEN|KEY|CREDENTIAL/i;
const ordinaryUser = /^[1-9]\d{3,}(?::[1-9]\d{3,})?$/;

const at = (instruction: Instruction, what: string): string => `line ${instruction.getRange().start.line + 1}: ${what}`;

const isFrom = (instruction: Instruction): instruction is From => instruction instanceof From;

const fromFaults = (froms: readonly From[]): readonly string[] => {
  const stages = new Set(froms.map((from) => from.getBuildStage()));
  return froms.flatMap((from) => {
    const image = from.getImage() ?? '';
    if (image === 'scratch' || stages.has(image)) return [];
    const isExact = from.getImageDigest() !== null || isVersion(from.getImageTag() ?? '');
    return isExact ? [] : [at(from, `${image} is no image by its version`)];
  });
};

const copyFaults = (copies: readonly Copy[], froms: readonly From[]): readonly string[] => {
  const stages = new Set(froms.map((from) => from.getBuildStage()));
  return copies.flatMap((copy) => {
    const from = copy.getFromFlag()?.getValue() ?? undefined;
    return from === undefined || stages.has(from) ? [] : [at(copy, `there is no stage ${from}`)];
  });
};

const secretFaults = (instructions: readonly Instruction[]): readonly string[] =>
  instructions
    .filter((instruction) => ['ENV', 'ARG', 'LABEL'].includes(instruction.getKeyword()))
    .filter((instruction) => secretName.test(instruction.getArgumentsContent() ?? ''))
    .map((instruction) => at(instruction, 'a secret would stay in the image'));

/** What the image says that is made at the end. */
const imageFaults = (last: readonly Instruction[], end: Instruction): readonly string[] => {
  const named = (keyword: string): Instruction | undefined => last.findLast((one) => one.getKeyword() === keyword);
  const user = named('USER')?.getArgumentsContent() ?? '';
  const program = named('ENTRYPOINT');
  const health = named('HEALTHCHECK')?.getArgumentsContent() ?? '';
  return [
    ...(ordinaryUser.test(user) ? [] : [at(end, `the user "${user}" is no ordinary one by its number`)]),
    ...(program instanceof JSONInstruction && program.getOpeningBracket() !== null
      ? []
      : [at(program ?? end, 'the program has a shell around it, or is missing')]),
    ...(/CMD \[/.test(health) ? [] : [at(end, 'there is no health check, or it has a shell around it')]),
    ...(named('STOPSIGNAL') ? [] : [at(end, 'there is no STOPSIGNAL')]),
  ];
};

const labels = ['title', 'version', 'revision', 'source', 'licenses'].map(
  (name) => `org.opencontainers.image.${name}=`,
);

export const dockerfileFaults = (text: string): readonly string[] => {
  const file = DockerfileParser.parse(text);
  const instructions = file.getInstructions();
  const froms = instructions.filter(isFrom);
  const end = froms.at(-1);
  if (end === undefined) return ['line 1: there is no FROM'];
  const last = instructions.slice(instructions.indexOf(end));
  const found = last.filter((one) => one.getKeyword() === 'LABEL').map((one) => one.getArgumentsContent() ?? '');
  return [
    ...fromFaults(froms),
    ...copyFaults(file.getCOPYs(), froms),
    ...instructions
      .filter((one) => one.getKeyword() === 'ADD')
      .map((one) => at(one, 'ADD takes what nobody has checked')),
    ...secretFaults(instructions),
    ...imageFaults(last, end),
    ...labels.filter((label) => !found.join(' ').includes(label)).map((label) => at(end, `there is no label ${label}`)),
  ];
};

/** The default of an ARG. */
export const presetOf = (text: string, name: string): string | undefined =>
  DockerfileParser.parse(text)
    .getARGs()
    .map((argument) => argument.getProperty())
    .find((property) => property?.getName() === name)
    ?.getValue() ?? undefined;
