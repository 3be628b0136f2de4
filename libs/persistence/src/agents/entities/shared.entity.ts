/** Tables that other services have as well. */
import { Entity } from 'typeorm';
import { IdempotencyRecordColumns, OutboxColumns, TeamStateColumns } from '../../entity-columns.js';

@Entity({ schema: 'agents', name: 'idempotency' })
export class IdempotencyRecord extends IdempotencyRecordColumns {}

@Entity({ schema: 'agents', name: 'outbox' })
export class OutboxEvent extends OutboxColumns {}

@Entity({ schema: 'agents', name: 'team_state' })
export class TeamState extends TeamStateColumns {}
