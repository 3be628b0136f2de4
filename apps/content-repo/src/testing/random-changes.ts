/**
 * Random lives of a storage: several clients at once create, move, change, release, follow up and delete elements, each
 * step on whatever was acknowledged so far.
 */
import type { ByteReply } from '@tessera/contracts';
import type { Failure, Result } from '@tessera/failures';
import type { OperationContext } from '@tessera/messaging';
import fc from 'fast-check';
import { CreateVersionHandler } from '../release/create-version.handler.js';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { WriteElementsHandler } from '../writing/write-elements.handler.js';
import { z } from 'zod';
import { readBodyText, testStorageNames, type TestService, createWriterContext } from './open-service.js';

export type ChangeStep =
  | { readonly kind: 'create'; readonly type: 'area' | 'process'; readonly under: number }
  | { readonly kind: 'rename'; readonly target: number; readonly name: string }
  | { readonly kind: 'move'; readonly target: number; readonly under: number }
  | { readonly kind: 'transition'; readonly target: number; readonly id: string }
  | { readonly kind: 'createVersion'; readonly target: number }
  | { readonly kind: 'delete'; readonly target: number };

const place = fc.nat({ max: 12 });
/** Releases and new versions are drawn more often than deletions, so that elements grow old enough to have a history. */
const step: fc.Arbitrary<ChangeStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      type: fc.constantFrom('area' as const, 'process' as const, 'process' as const),
      under: place,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      target: place,
      name: fc.string({ unit: 'grapheme', maxLength: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), target: place, under: place }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('transition' as const),
      target: place,
      id: fc.constantFrom(
        'InProcessToReleased',
        'InProcessToReleased',
        'InProcessToReleased',
        'InProcessToInReview',
        'InReviewToInProcess',
        'ReleasedToRequestToExpire',
        'RequestToExpireToReleased',
        'RequestToExpireToExpired',
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('createVersion' as const), target: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), target: place }) },
);

/** What each client does, in its order. */
export const arbitraryClientSteps = (
  clients: number,
  stepsMax: number,
): fc.Arbitrary<readonly (readonly ChangeStep[])[]> =>
  fc.array(fc.array(step, { minLength: 12, maxLength: stepsMax }), { minLength: clients, maxLength: clients });

export type AcknowledgedStep = {
  readonly requestId: string;
  readonly step: ChangeStep;
  /** The element as the answer has it, or the reference to what was deleted. */
  readonly element: z.output<typeof Answered>;
};

const Answered = z.object({
  id: z.string(),
  versionId: z.string().optional(),
  attributes: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
const Answer = z.object({ elements: z.array(Answered).optional(), values: z.array(Answered).optional() });

type ClientResults = { readonly acknowledged: readonly AcknowledgedStep[]; readonly refused: readonly Failure[] };

/** `afterEach` is told of each acknowledged step before the client goes on. */
export const runClientSteps = async (
  service: TestService,
  team: string,
  clients: readonly (readonly ChangeStep[])[],
  afterEach: () => Promise<void>,
): Promise<ClientResults> => {
  const acknowledged: AcknowledgedStep[] = [];
  const refused: Failure[] = [];
  const known: string[] = [];
  const drafts: string[] = [];
  const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
  const perform = stepsOf(service);
  const client = async (steps: readonly ChangeStep[], number: number): Promise<void> => {
    for (const [index, each] of steps.entries()) {
      const requestId = `${team} ${number}.${index}`;
      const target = 'target' in each ? at(isOfVersion(each) ? drafts : known, each.target) : undefined;
      const under = 'under' in each && each.under % 3 !== 0 ? at(known, each.under) : undefined;
      if ('target' in each && target === undefined) continue;
      const result = await perform(each, {
        target: target ?? '',
        under,
        requestId,
        context: { ...createWriterContext(team), requestId },
      });
      if (!result.ok) {
        refused.push(result.failure);
        continue;
      }
      const { elements, values = [] } = Answer.parse(JSON.parse(await readBodyText(result.value)));
      const [element] = elements ?? values;
      if (!element) throw new Error(`${requestId} was answered without its element.`);
      acknowledged.push({ requestId, step: each, element });
      if (each.kind === 'create') known.push(element.id);
      if (element.versionId && each.kind !== 'delete') drafts.push(element.versionId);
      await afterEach();
    }
  };
  await Promise.all(clients.map(client));
  return { acknowledged, refused };
};

/** Drafts are meant by their own id; one time in three it is the other way round. */
const isOfVersion = (each: ChangeStep & { readonly target: number }): boolean => {
  const meansDraft = each.kind === 'rename' || (each.kind === 'transition' && each.id.startsWith('In'));
  return each.target % 3 === 0 ? !meansDraft : meansDraft;
};

type StepTarget = {
  readonly target: string;
  readonly under: string | undefined;
  readonly requestId: string;
  readonly context: OperationContext;
};

const stepsOf = ({ changes }: TestService): ((step: ChangeStep, aim: StepTarget) => Promise<Result<ByteReply>>) => {
  const writes = new WriteElementsHandler(changes);
  const versions = new CreateVersionHandler(changes);
  const transitions = new PerformTransitionHandler(changes);
  const deletions = new DeleteElementHandler(changes);
  const view = { ...testStorageNames, facetId: 'processes', viewId: 'detail' } as const;
  const write = (element: object, context: OperationContext) =>
    writes.write({ ...view, apiVersion: '4.0', batch: { elements: [element] } }, context);
  return (each, { target, under, requestId, context }) => {
    switch (each.kind) {
      case 'create':
        return write({ type: each.type, parentId: under ?? null, attributes: { name: { 1033: requestId } } }, context);
      case 'rename':
        return write({ id: target, attributes: { name: { 1033: `${requestId} ${each.name}` } } }, context);
      case 'move':
        return write({ id: target, parentId: under ?? null }, context);
      case 'transition':
        return transitions.perform(
          { ...testStorageNames, elementId: target, transitionId: each.id, ignoreWarnings: true, apiVersion: '4.0' },
          context,
        );
      case 'createVersion':
        return versions.create({ ...testStorageNames, elementId: target, apiVersion: '4.0' }, context);
      case 'delete':
        return deletions.delete({ ...view, elementId: target, apiVersion: '2.0' }, context);
    }
  };
};
