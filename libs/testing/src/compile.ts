/** Programs that use a generated client, as its user's compiler sees them. */
import ts from 'typescript';

/** What the compiler has against the program and what it imports, in its strictest mood. */
export const findCompileErrors = (file: string): readonly string[] => {
  const compiled = ts.createProgram([file], {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    ...{ lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  });
  return ts.getPreEmitDiagnostics(compiled).map(({ file: at, start, messageText }) => {
    const line = at === undefined || start === undefined ? '' : `:${at.getLineAndCharacterOfPosition(start).line + 1}`;
    return `${at?.fileName}${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
};
