/** Tables that other services have as well. */
import { Entity } from 'typeorm';
import { IdempotencyRecordColumns, OutboxColumns } from '../../entity-columns.js';

@Entity({ schema: 'content_repo', name: 'idempotency' })
export class IdempotencyRecord extends IdempotencyRecordColumns {}

@Entity({ schema: 'content_repo', name: 'outbox' })
export class OutboxEvent extends OutboxColumns {}
