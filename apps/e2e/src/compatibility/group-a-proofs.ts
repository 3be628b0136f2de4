/** Everything that group A promises, with what proves it. */
import { groupA } from '../group-a.js';
import { none, type OperationProofs } from './proof.js';
import { proofsOfAll, proofsOfTheWay } from './proofs-of-all.js';
import { proofsOfParts } from './proofs-of-parts.js';
import { proofsOfReads } from './proofs-of-reads.js';
import { proofsOfWrites } from './proofs-of-writes.js';
import { proofsOfWriting } from './proofs-of-writing.js';
import type { GroupProofs, ProvenOperation } from './render-compatibility.js';

export const proofsOfGroupA: Readonly<Record<string, OperationProofs>> = {
  ...proofsOfReads,
  ...proofsOfParts,
  ...proofsOfWriting,
  ...proofsOfWrites,
};

const placeOf = ({ operation, proofs }: ProvenOperation): number =>
  proofs.called === undefined
    ? 100 + Object.keys(proofsOfGroupA).indexOf(operation.name)
    : Number(proofs.called.replace('A', ''));

/** A1 to A6, then the others as the table has them. */
export const provenGroupA: GroupProofs = {
  group: 'A',
  title: 'the content repository',
  prefix: { path: '/{collectionId}/{storageId}/_api/rest', short: 'P' },
  operations: groupA
    .map((operation) => ({ operation, proofs: proofsOfGroupA[operation.name] ?? none }))
    .sort((one, other) => placeOf(one) - placeOf(other)),
  all: proofsOfAll,
  way: proofsOfTheWay,
};
