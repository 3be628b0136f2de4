/** The operations that can be called, with the types of their contracts and no code of theirs. */
import type { AnswerOf, HttpBinding, HttpOperation, InputOf, Scope } from '@tessera/contracts';
import type * as agents from '@tessera/contracts/agents';
import type * as contentRepo from '@tessera/contracts/content-repo';
import type * as gateway from '@tessera/contracts/gateway';
import type * as knowledgeModels from '@tessera/contracts/knowledge-models';
import type * as toolGateway from '@tessera/contracts/tool-gateway';
import { operations } from 'virtual:operations';

type Exported = typeof agents & typeof contentRepo & typeof gateway & typeof knowledgeModels & typeof toolGateway;

/** As the contracts export it: `readMe`, `listFacets`. */
export type OperationName = keyof {
  [Name in keyof Exported as Exported[Name] extends HttpOperation ? Name : never]: true;
};

/** What is sent: all members of the request, wherever they travel. */
export type InputFor<Name extends OperationName> = InputOf<Exported[Name]>;
/** The JSON that is answered. */
export type AnswerFor<Name extends OperationName> = AnswerOf<Exported[Name]>;

export type Binding = Pick<HttpBinding, 'group' | 'method' | 'path' | 'body' | 'headers'>;
export type { Scope };

/** Throws for a name that the contracts do not have. */
export const bindingOf = (name: string): Binding => {
  const binding = operations[name];
  if (binding === undefined) throw new Error(`There is no operation ${name}.`);
  return binding;
};
