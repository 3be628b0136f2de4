/** Tables that other services have as well. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdempotencyRecordColumns, OutboxColumns, RateWindowColumns, TeamStateColumns } from '../../entity-columns.js';

@Entity({ schema: 'tool_gateway', name: 'idempotency' })
export class IdempotencyRecord extends IdempotencyRecordColumns {}

@Entity({ schema: 'tool_gateway', name: 'outbox' })
export class OutboxEvent extends OutboxColumns {}

@Entity({ schema: 'tool_gateway', name: 'team_state' })
export class TeamState extends TeamStateColumns {}

@Entity({ schema: 'tool_gateway', name: 'rate_window' })
export class RateWindow extends RateWindowColumns {
  @PrimaryColumn('text')
  assetId!: string;

  @Column('integer')
  callsPerMinute!: number;
}
