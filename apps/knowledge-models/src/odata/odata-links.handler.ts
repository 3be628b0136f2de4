/**
 * What stands behind the key of an entry: its properties, and the entries that its links lead to. Each link is followed by a
 * statement of its own, from what the row before it brought, so that rows a policy hides lead nowhere.
 * Never tells an entry that a policy hides from one that is not there.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { countODataLink, readODataLink, readODataLinkPart, readODataValue } from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import {
  type AnswerKind,
  buildCountQuery,
  buildEntriesQuery,
  buildEntryQuery,
  chooseRepresentation,
  type EntityModel,
  type EntityType,
  type EntryPath,
  type EntryQuery,
  findEntityType,
  type FollowedLink,
  printPropertyDocument,
  propertyValueText,
  readEntryPath,
  type Representation,
} from '@tessera/odata';
import { type OpenedModel, QueryPreparer } from '../queries/query-preparer.js';
import { QueryRunner } from '../queries/query-runner.js';
import {
  answerEntriesPage,
  answerEntry,
  mapODataQueryErrors,
  nextLinkForPage,
  failEntryNotFound,
  createODataHeaders,
  odataRootUrlOf,
  tokenBindingOf,
} from './answer-entries.js';
import { TokenKeyRepository } from './token-key.repository.js';
import { entityModelForView } from './view-entities.js';

type Request = RequestOf<typeof readODataLink>;
type Answer = Promise<Result<ByteReply>>;

/** Entries of a type: one by its key, those that a link leads to, or one of these by its key. */
type Place = {
  readonly type: EntityType;
  readonly key?: string;
  readonly linkedFrom?: NonNullable<DataQuery['linkedFrom']>;
};

type Path = {
  readonly opened: OpenedModel;
  readonly model: EntityModel;
  readonly request: Request;
  readonly end: EntryPath['end'];
  readonly place: Place;
  readonly representation: Representation;
  /** Of the path behind the address of the service, decoded. */
  readonly segments: readonly string[];
};

@Controller()
export class ODataLinksHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
    private readonly tokenKey: TokenKeyRepository,
  ) {}

  @Serves(readODataLink)
  link(request: Request, context: OperationContext): Answer {
    return this.#answer(request, [request.step], context);
  }

  @Serves(readODataLinkPart)
  part({ part, ...request }: RequestOf<typeof readODataLinkPart>, context: OperationContext): Answer {
    return this.#answer(request, [request.step, part], context);
  }

  @Serves(countODataLink)
  count(request: RequestOf<typeof countODataLink>, context: OperationContext): Answer {
    return this.#answer({ ...request, $count: false }, [request.step, '$count'], context);
  }

  @Serves(readODataValue)
  value(request: RequestOf<typeof readODataValue>, context: OperationContext): Answer {
    return this.#answer({ ...request, $count: false }, [request.step, '$value'], context);
  }

  #answer(request: Request, segments: readonly string[], context: OperationContext): Answer {
    return mapODataQueryErrors(async () => {
      const opened = await this.models.open(context.caller, request.km_id);
      if (!opened.ok) return opened;
      const model = entityModelForView(opened.value.view);
      const start = findEntityType(model, request.record_id);
      if (!start.ok) return start;
      const path = readEntryPath(model, start.value, segments);
      if (!path.ok) return path;
      const { end, links } = path.value;
      const refused = refuseOptions(end.kind, request);
      if (refused) return refused;
      const chosen = chooseRepresentation(answerKinds[end.kind], request);
      if (!chosen.ok) return chosen;
      const first = { type: start.value, key: request.key };
      const place = await this.#follow(opened.value, model, first, links, context.signal);
      if (!place.ok) return place;
      const found = { opened: opened.value, model, request, end, place: place.value, representation: chosen.value };
      const whole = [`${start.value.setName}${request.key}`, ...segments];
      return this.#answerAt({ ...found, segments: whole }, context);
    });
  }

  async #follow(
    opened: OpenedModel,
    model: EntityModel,
    start: Place,
    links: readonly FollowedLink[],
    signal: AbortSignal,
  ): Promise<Result<Place>> {
    let place = start;
    for (const { navigation, type, key } of links) {
      const { record } = place.type;
      const row = await this.#row(opened, model, place, { links: [navigation.record] }, signal);
      if (!row.ok) return row;
      const { compiled, values } = row.value;
      const [link] = compiled.links;
      const found = (link?.columns ?? []).flatMap((at) => values[at] ?? []);
      const isWhole = link !== undefined && found.length === link.columns.length;
      place = {
        type,
        ...(key !== undefined && { key }),
        linkedFrom: { kind: 'page', record, links: isWhole ? [found] : [] },
      };
    }
    return succeed(place);
  }

  /** The one entry of a place, with what is asked for beside its key. */
  async #row(
    { prepare }: OpenedModel,
    model: EntityModel,
    { type, key, linkedFrom }: Place,
    more: Partial<Pick<DataQuery, 'fields' | 'links'>>,
    signal: AbortSignal,
  ): Promise<Result<{ readonly compiled: CompiledQuery; readonly values: readonly (string | null)[] }>> {
    const prepared = prepare(({ compile }) => {
      const $select = (type.key.length > 0 ? type.key : type.properties.slice(0, 1)).map(({ name }) => name).join();
      const question = buildEntryQuery(type, model, { key, $select });
      return question.ok ? compile({ ...question.value.query, ...more, ...(linkedFrom && { linkedFrom }) }) : question;
    });
    if (!prepared.ok) return prepared;
    const { compiled, prepareStatement } = prepared.value;
    const [values] = await this.runner.texts(prepareStatement(compiled.rows), signal);
    return values ? succeed({ compiled, values }) : failEntryNotFound(type);
  }

  #answerAt(path: Path, context: OperationContext): Answer {
    switch (path.end.kind) {
      case 'entries':
      case 'references':
        return this.#page(path, context);
      case 'entry':
      case 'reference':
        return this.#entry(path, context);
      case 'count':
        return this.#count(path, context);
      case 'property':
      case 'value':
        return this.#property(path, path.end, context);
    }
  }

  async #page(path: Path, context: OperationContext): Answer {
    const { opened, model, request, end, place, representation, segments } = path;
    const tokenKey = await this.tokenKey.read();
    const binding = tokenBindingOf(context, request.km_id, segments.join('/'));
    const areReferences = end.kind === 'references';
    const options = areReferences ? ofReferences(request, place.type) : request;
    const question = buildEntriesQuery(place.type, model, options, { key: tokenKey, binding });
    if (!question.ok) return question;
    const asked = withLink(question.value, place);
    const answer = { opened, runner: this.runner, representation, areReferences, request, context, tokenKey };
    const address = { root: odataRootUrlOf(context, request.km_id), setName: segments.map(encodeSegment).join('/') };
    return answerEntriesPage(answer, asked, (last) => nextLinkForPage(last, asked, request, address, tokenKey));
  }

  async #entry(path: Path, context: OperationContext): Answer {
    const { opened, model, request, end, place, representation } = path;
    const { type, key } = place;
    const areReferences = end.kind === 'reference';
    const { $select, $expand, aliases } = areReferences ? ofReferences(request, type) : request;
    const question = buildEntryQuery(type, model, { key, $select, $expand, aliases });
    if (!question.ok) return question;
    const tokenKey = await this.tokenKey.read();
    const answer = { opened, runner: this.runner, representation, areReferences, request, context, tokenKey };
    const missing = () => (key === undefined ? succeed(noContent(representation)) : failEntryNotFound(type));
    return answerEntry(answer, withLink(question.value, place), missing);
  }

  async #count({ opened, model, request, place, representation }: Path, { signal }: OperationContext): Answer {
    const { type, linkedFrom } = place;
    const prepared = opened.prepare(({ compile }) => {
      const question = buildCountQuery(type, model, request);
      return question.ok ? compile({ ...question.value, ...(linkedFrom && { linkedFrom }) }) : question;
    });
    if (!prepared.ok) return prepared;
    const total = await this.runner.total(prepared.value, {}, signal);
    const { contentType } = representation;
    return succeed({ contentType, headers: createODataHeaders(representation), body: Buffer.from(total) });
  }

  async #property(
    { opened, model, request, place, representation }: Path,
    { kind, property }: EntryPath['end'] & { readonly kind: 'property' | 'value' },
    context: OperationContext,
  ): Answer {
    const { type } = place;
    const fields = [...new Set([...type.key, property].map(({ id }) => id))];
    const row = await this.#row(opened, model, place, { fields }, context.signal);
    if (!row.ok) return row;
    const { compiled, values } = row.value;
    const places = new Map(compiled.columns.map(({ id }, at) => [id, at]));
    const subject = { root: odataRootUrlOf(context, request.km_id), model, type, places, representation };
    const text =
      kind === 'value'
        ? propertyValueText(property, subject, values)
        : printPropertyDocument(property, subject, values);
    if (text === undefined) return succeed(noContent(representation));
    const { contentType } = representation;
    return succeed({ contentType, headers: createODataHeaders(representation), body: Buffer.from(text) });
  }
}

const answerKinds: Readonly<Record<EntryPath['end']['kind'], AnswerKind>> = {
  entries: 'entries',
  entry: 'entry',
  count: 'count',
  references: 'references',
  reference: 'references',
  property: 'property',
  value: 'value',
};

const pageOptions = ['$filter', '$search', '$orderby', '$top', '$skip', '$skiptoken', 'filterid'] as const;
const shapeOptions = ['$select', '$expand'] as const;

/** What has no meaning at the end of the path, of all that its operation takes. */
const refusedOptionsByEnd: Readonly<Record<EntryPath['end']['kind'], readonly (keyof Request)[]>> = {
  entries: [],
  references: shapeOptions,
  count: [],
  entry: pageOptions,
  reference: [...pageOptions, ...shapeOptions],
  property: [...pageOptions, ...shapeOptions],
  value: [],
};

const endNames: Readonly<Record<EntryPath['end']['kind'], string>> = {
  entries: 'related entries',
  references: 'references',
  count: 'a count',
  entry: 'one entry',
  reference: 'one reference',
  property: 'a property',
  value: 'the value of a property',
};

const refuseOptions = (kind: EntryPath['end']['kind'], request: Request): Result<never> | undefined => {
  const isOne = kind !== 'entries' && kind !== 'references';
  const named = refusedOptionsByEnd[kind].filter((option) => request[option] !== undefined);
  const all = isOne && request.$count ? [...named, '$count'] : named;
  if (all.length === 0) return undefined;
  const message = `${all.join(', ')} ${all.length === 1 ? 'is' : 'are'} not supported for ${endNames[kind]}; leave ${all.length === 1 ? 'it' : 'them'} out.`;
  return fail('ODATA_OPTION_UNSUPPORTED', message, {
    faults: all.map((path) => ({ in: 'query' as const, path, rule: 'path', message })),
  });
};

const withLink = <Question extends EntryQuery>(question: Question, { linkedFrom }: Place): Question => ({
  ...question,
  query: { ...question.query, ...(linkedFrom && { linkedFrom }) },
});

/** References need the key, and nothing else. */
const ofReferences = (request: Request, { key }: EntityType): Request => ({
  ...request,
  ...(key.length > 0 && { $select: key.map(({ name }) => name).join() }),
});

const noContent = (representation: Representation): ByteReply => ({
  status: 204,
  contentType: '',
  headers: createODataHeaders(representation),
  body: new Uint8Array(),
});

/** What keys are written with may stand in an address as it is. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment.toWellFormed()).replaceAll('%3D', '=').replaceAll('%2C', ',').replaceAll('%24', '$');
