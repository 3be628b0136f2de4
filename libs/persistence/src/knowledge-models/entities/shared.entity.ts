/** Tables that other services have as well. */
import { Entity } from 'typeorm';
import { IdempotencyRecordColumns, OutboxColumns, TeamStateColumns } from '../../entity-columns.js';

@Entity({ schema: 'knowledge_models', name: 'idempotency' })
export class IdempotencyRecord extends IdempotencyRecordColumns {}

@Entity({ schema: 'knowledge_models', name: 'outbox' })
export class OutboxEvent extends OutboxColumns {}

@Entity({ schema: 'knowledge_models', name: 'team_state' })
export class TeamState extends TeamStateColumns {}
