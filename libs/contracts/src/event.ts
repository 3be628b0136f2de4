/**
 * An event: a fact that its owner publishes, declared once, as data. The NATS subject and the envelope on the wire derive
 * from it. Delivery is at least once; `id` identifies a repetition.
 */
import { z } from 'zod';
import type { OwningService } from './operation.js';

export type EventDeclaration<Data extends z.ZodObject = z.ZodObject> = {
  readonly owner: OwningService;
  /** Unique, dotted, in the past, e.g. `content.element.changed`. */
  readonly type: string;
  readonly summary: string;
  readonly data: Data;
};

/** Declares an event; types are inferred, nothing happens. */
export const event = <Data extends z.ZodObject>(declaration: EventDeclaration<Data>): EventDeclaration<Data> =>
  declaration;

export type EventDataOf<E extends EventDeclaration> = z.output<E['data']>;

/** The one stream that keeps the events of all owners. */
export const eventStreamName = 'TESSERA_EVENTS';
export const allEventsSubject = 'evt.>';

/**
 * A team as one token of a subject: percent-encoded as in an address, the dot and the star as well. A team of letters,
 * digits, - and _ is its own token.
 */
const teamToken = (team: string): string => encodeURIComponent(team).replaceAll('.', '%2E').replaceAll('*', '%2A');

/** `evt.content-repo.meridian.content.element.changed`: inside the permissions of its owner, a team's events by one pattern. */
export const eventSubjectOf = ({ owner, type }: Pick<EventDeclaration, 'owner' | 'type'>, team: string): string =>
  `evt.${owner}.${teamToken(team)}.${type}`;

/** The JSON of an event on the wire. */
export const eventEnvelopeSchema = <Data extends z.ZodObject>({ type, data }: EventDeclaration<Data>) =>
  z.strictObject({
    id: z.uuidv7().describe('Of this event; the same when it is delivered once more.'),
    type: z.literal(type),
    time: z.iso.datetime({ precision: 3 }).describe('When it happened, UTC.'),
    team: z.string().min(1),
    subject: z.string().min(1).describe('Who did it: the subject of the caller.'),
    requestId: z.string().min(1),
    data,
  });
