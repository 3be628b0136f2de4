/** Tables that other services have as well. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdempotencyRecordColumns, RateWindowColumns } from '../../entity-columns.js';

@Entity({ schema: 'gateway', name: 'idempotency' })
export class IdempotencyRecord extends IdempotencyRecordColumns {}

@Entity({ schema: 'gateway', name: 'rate_window' })
export class RateWindow extends RateWindowColumns {
  @PrimaryColumn('text')
  credential!: string;

  @Column('integer')
  hourlyLimit!: number;
}
