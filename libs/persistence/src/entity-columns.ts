/** Columns of tables that several services have, each in its own schema. */
import { Check, Column, Index, PrimaryColumn } from 'typeorm';

/** An answer that is kept under an Idempotency-Key; digests stand for the key and for the request. */
@Check('idempotency_key_digest_check', 'octet_length(key_digest) = 32')
@Check('idempotency_request_digest_check', 'octet_length(request_digest) = 32')
@Index('idempotency_by_age', ['tenant', 'createdAt'])
export abstract class IdempotencyRecordColumns {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  route!: string;

  @PrimaryColumn('bytea')
  keyDigest!: Buffer;

  @Column('bytea')
  requestDigest!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('text')
  contentType!: string;

  @Column('json')
  headers!: unknown;

  @Column('text')
  body!: string;
}

/** An event that waits for NATS. */
@Index('outbox_in_order', ['position'])
export abstract class OutboxColumns {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid', { default: () => 'uuidv7()' })
  eventId!: string;

  @Column({ type: 'bigint', insert: false, update: false })
  position!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  payload!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** A revision for each team: it grows with every publication, so that a replica knows what it holds is old. */
export abstract class TeamStateColumns {
  @PrimaryColumn('text')
  tenant!: string;

  @Column('bigint', { default: 1 })
  revision!: string;
}

/** Of a definition: its published version, and its draft. The column of its id is named by what it defines. */
export abstract class DefinitionColumns {
  @PrimaryColumn('text')
  tenant!: string;

  abstract id: string;

  @Column('integer', { nullable: true })
  publishedVersion!: number | null;

  abstract published: DefinitionVersionColumns | null;

  @Column('json', { nullable: true })
  draft!: object | null;

  @Column('bytea', { nullable: true })
  draftDigest!: Buffer | null;

  @Column('timestamptz', { default: () => 'now()' })
  changedAt!: Date;

  @Column('text')
  changedBy!: string;
}

/** Of a published version of a definition; it never changes. */
export abstract class DefinitionVersionColumns {
  @PrimaryColumn('text')
  tenant!: string;

  abstract id: string;

  @PrimaryColumn('integer')
  version!: number;

  @Column('json')
  definition!: unknown;

  @Column('bytea')
  digest!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  publishedAt!: Date;

  @Column('text')
  publishedBy!: string;
}

/** What is used of a limit in one window of time, with what the last statement asked of the row. */
@Check('rate_window_used_check', 'used >= 0')
export abstract class RateWindowColumns {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('timestamptz')
  windowStart!: Date;

  @Column('integer')
  used!: number;

  @Column('integer')
  granted!: number;

  @Column('integer')
  settled!: number;
}
