import { exitCodes, type ExitCode } from '../exit-code.js';
import { jsonSchemaOf, type FileKind } from '../workspace/workspace-document.js';
import type { CommandContext } from './command.js';

export const schema = ({ terminal }: CommandContext, kind: FileKind): ExitCode => {
  terminal.print(JSON.stringify(jsonSchemaOf(kind), null, 2));
  return exitCodes.done;
};
