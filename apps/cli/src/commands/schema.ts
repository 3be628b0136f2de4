/** `tessera schema KIND`: the JSON Schema of a kind of file, for editors. Refuses: to speak to the gateway. */
import { exitCodes, type ExitCode } from '../exit-code.js';
import { jsonSchemaOf, type FileKind } from '../workspace/workspace-document.js';
import type { CommandContext } from './command.js';

export const schema = ({ terminal }: CommandContext, kind: FileKind): ExitCode => {
  terminal.print(JSON.stringify(jsonSchemaOf(kind), null, 2));
  return exitCodes.done;
};
