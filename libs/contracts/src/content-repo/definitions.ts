/**
 * Content definitions: a storage with its facets, views, types and relations, and one element as a workspace file or an
 * import states it. libs/content-model fills in defaults and checks rules that span members (unknown types, wrong values).
 */
import { z } from 'zod';

export const definedItemName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'expected a name: a letter, then letters, digits, _ or -, at most 64');

/** Collections and storages; they are segments of a path. */
export const storageName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected a name: letters, digits, dot, _ or -, at most 64');

/** A readable key, or a UUID; a key stands for the UUID that is derived from it. */
export const elementKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'expected a key (letters, digits, dot, _ or -, at most 128) or a UUID');

/** Text that PostgreSQL can keep: no NUL, no half of a surrogate pair. */
const storableText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\u0000'), 'holds a character that cannot be stored');

const culture = z.int().min(1).max(65_535).describe('Culture identifier (LCID).');
const cultureKey = z.string().regex(/^[1-9][0-9]{0,4}$/, 'expected a culture identifier such as 1033');

export const LocalisedText = z
  .record(cultureKey, storableText(500).min(1))
  .describe('Text per culture identifier.')
  .meta({ id: 'LocalisedText' });

export const ViewDefinition = z
  .strictObject({
    name: definedItemName,
    displayNames: LocalisedText.optional(),
    isHierarchical: z.boolean(),
    types: z
      .array(definedItemName)
      .max(200)
      .optional()
      .describe('The types that the view shows; all of the facet when absent.'),
  })
  .meta({ id: 'ViewDefinition' });

export const FacetDefinition = z
  .strictObject({
    name: definedItemName,
    displayNames: LocalisedText,
    views: z
      .array(ViewDefinition)
      .max(50)
      .optional()
      .describe('Beside `reporting` (a tree) and `detail` (flat), which every facet has.'),
  })
  .meta({ id: 'FacetDefinition' });

export const attributeTypes = ['string', 'number', 'boolean', 'date-time', 'file', 'link'] as const;

export const AttributeDefinition = z
  .strictObject({
    name: definedItemName,
    type: z.enum(attributeTypes).optional().describe('`string` when absent; `file` and `link` hold lists of objects.'),
    localised: z.boolean().optional().describe('Whether it has a value per culture.'),
    mandatory: z.boolean().optional().describe('Whether a version cannot be released without it.'),
    mandatoryCultures: z
      .array(culture)
      .max(50)
      .optional()
      .describe('Cultures in which a mandatory localised value must be there.'),
    displayNames: LocalisedText.optional(),
  })
  .meta({ id: 'AttributeDefinition' });

const TransitionDefinition = z
  .strictObject({
    id: definedItemName.optional().describe('`{From}To{To}` when absent, e.g. InProcessToInReview.'),
    from: definedItemName,
    to: definedItemName,
  })
  .meta({ id: 'TransitionDefinition' });

export const TypeDefinition = z
  .strictObject({
    name: definedItemName,
    facet: definedItemName,
    displayNames: LocalisedText,
    versioned: z
      .boolean()
      .optional()
      .describe('Whether its elements have versions with release states; else they have show or hide.'),
    attributes: z.array(AttributeDefinition).max(200).optional(),
    states: z.array(definedItemName).max(20).optional(),
    transitions: z.array(TransitionDefinition).max(100).optional(),
    childTypes: z
      .array(definedItemName)
      .max(200)
      .optional()
      .describe('Types of the same facet that may stand under it.'),
    contentTypes: z
      .array(definedItemName)
      .max(200)
      .optional()
      .describe('Types that its content may have, as in a diagram.'),
  })
  .meta({ id: 'TypeDefinition' });

export const RelationDefinition = z
  .strictObject({
    name: definedItemName,
    displayNames: LocalisedText.optional(),
    from: z.array(definedItemName).max(200).optional().describe('Types that may have it; every type when absent.'),
    to: z.array(definedItemName).max(200).optional().describe('Types that it may lead to; every type when absent.'),
    many: z.boolean().optional().describe('Whether it holds more than one element; true when absent.'),
  })
  .meta({ id: 'RelationDefinition' });

export const StorageDefinition = z
  .strictObject({
    kind: z.literal('Storage'),
    collection: storageName,
    id: storageName,
    title: storableText(200).min(1),
    cultures: z.array(culture).min(1).max(50),
    defaultCulture: culture,
    facets: z.array(FacetDefinition).min(1).max(100),
    types: z.array(TypeDefinition).max(500),
    relations: z.array(RelationDefinition).max(500).optional(),
    userType: definedItemName
      .optional()
      .describe(
        'The type, without versions, of the elements that stand for users: author, createdBy and changedBy lead there. The element of a caller is made at its first write.',
      ),
  })
  .meta({ id: 'StorageDefinition' });

const shortText = storableText(32_000);

/** An entry of a file or link attribute. */
const LinkedItem = z
  .strictObject({
    title: shortText.optional(),
    name: shortText.optional(),
    url: shortText,
    mediaType: shortText.optional(),
    sizeBytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  })
  .meta({ id: 'LinkedItem' });

export const AttributeValue = z
  .union(
    [shortText, z.number(), z.boolean(), z.array(LinkedItem).max(200)],
    'expected a text, a number, true, false or a list of links',
  )
  .meta({ id: 'AttributeValue' });

/** More than any type has. */
const attributesMax = 500;
export const isWithinAttributeLimit = (values: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(values).length <= attributesMax;
export const tooManyAttributesMessage = `expected at most ${attributesMax} attributes`;

/** A value alone is language-neutral (culture 127); an object holds a value per culture. */
export const AttributeValues = z
  .record(
    z.string().min(1).max(64),
    z.union(
      [AttributeValue, z.record(cultureKey, AttributeValue)],
      'expected a text, a number, true, false, a list of links, or such values per culture (1033: ...)',
    ),
  )
  .refine(isWithinAttributeLimit, tooManyAttributesMessage)
  .meta({ id: 'AttributeValues' });

export const RelationTargets = z
  .record(z.string().min(1).max(64), z.array(elementKey).max(10_000))
  .describe('Relation -> ids of elements, in order.')
  .meta({ id: 'RelationTargets' });

export type RelationNames<Targets> = {
  readonly relations?: Targets | undefined;
  readonly related?: Targets | undefined;
};

/** Files say `relations` and the interface `related`; each takes both, and keeps its own. */
export const hasOneRelationsName = ({ relations, related }: RelationNames<unknown>): boolean =>
  relations === undefined || related === undefined;
export const twoRelationsNames = 'has "relations" and "related", which are the same; one of them is enough';

const toRelations = <Document extends RelationNames<RelationTargets>>(document: Document): Document =>
  document.related === undefined ? document : { ...document, relations: document.related, related: undefined };

const relationMembers = {
  relations: RelationTargets.optional(),
  related: RelationTargets.optional().describe('The same as `relations`.'),
};

export const ContentDocument = z
  .strictObject({
    id: elementKey.describe('A key that is unique in this version, or a UUID.'),
    type: definedItemName,
    stereotype: definedItemName.optional(),
    creationId: z.guid().optional().describe('The content element it was copied from.'),
    state: definedItemName.optional(),
    attributes: AttributeValues.optional(),
    ...relationMembers,
  })
  .refine(hasOneRelationsName, twoRelationsNames)
  .overwrite(toRelations)
  .meta({ id: 'ContentDocument' });

const versionNumber = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})$/, 'expected a version such as "1.0"');

const versionMembers = {
  state: definedItemName.optional().describe('`inProcess` (versioned types) or `show` when absent.'),
  attributes: AttributeValues.optional(),
  ...relationMembers,
  content: z.array(ContentDocument).max(2_000).optional(),
};

export const VersionDocument = z
  .strictObject({ version: versionNumber, ...versionMembers })
  .refine(hasOneRelationsName, twoRelationsNames)
  .overwrite(toRelations)
  .meta({ id: 'VersionDocument' });

export const ElementDocument = z
  .strictObject({
    id: elementKey,
    type: definedItemName,
    stereotype: definedItemName.optional(),
    parent: elementKey.optional().describe('The element it stands under, of the same facet; a root when absent.'),
    creationId: elementKey.optional().describe('The element it was copied from.'),
    version: versionNumber.optional().describe('0.1 before the first release and 1.0 after it when absent.'),
    ...versionMembers,
    versions: z
      .array(VersionDocument)
      .min(1)
      .max(1_000)
      .optional()
      .describe('In place of the members above, when there are several.'),
  })
  .refine(hasOneRelationsName, twoRelationsNames)
  .overwrite(toRelations)
  .meta({ id: 'ElementDocument' });

export type LocalisedText = z.output<typeof LocalisedText>;
export type ViewDefinition = z.output<typeof ViewDefinition>;
export type FacetDefinition = z.output<typeof FacetDefinition>;
export type AttributeDefinition = z.output<typeof AttributeDefinition>;
export type AttributeType = (typeof attributeTypes)[number];
type TransitionDefinition = z.output<typeof TransitionDefinition>;
export type TypeDefinition = z.output<typeof TypeDefinition>;
export type RelationDefinition = z.output<typeof RelationDefinition>;
export type StorageDefinition = z.output<typeof StorageDefinition>;
export type AttributeValue = z.output<typeof AttributeValue>;
export type AttributeValues = z.output<typeof AttributeValues>;
export type RelationTargets = z.output<typeof RelationTargets>;
export type ContentDocument = z.output<typeof ContentDocument>;
export type VersionDocument = z.output<typeof VersionDocument>;
export type ElementDocument = z.output<typeof ElementDocument>;
