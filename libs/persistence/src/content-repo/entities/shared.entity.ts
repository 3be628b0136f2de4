/** Tables that other services have as well. */
import { Entity } from 'typeorm';
import { KeptAnswerColumns, OutboxColumns } from '../../entity-columns.js';

@Entity({ schema: 'content_repo', name: 'idempotency' })
export class KeptAnswer extends KeptAnswerColumns {}

@Entity({ schema: 'content_repo', name: 'outbox' })
export class OutboxEvent extends OutboxColumns {}
