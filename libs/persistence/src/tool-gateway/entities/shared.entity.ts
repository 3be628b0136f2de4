/** Tables that other services have as well. */
import { Entity } from 'typeorm';
import { KeptAnswerColumns, OutboxColumns, TeamStateColumns } from '../../entity-columns.js';

@Entity({ schema: 'tool_gateway', name: 'idempotency' })
export class KeptAnswer extends KeptAnswerColumns {}

@Entity({ schema: 'tool_gateway', name: 'outbox' })
export class OutboxEvent extends OutboxColumns {}

@Entity({ schema: 'tool_gateway', name: 'team_state' })
export class TeamState extends TeamStateColumns {}
