/** Tables that other services have as well. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { KeptAnswerColumns, RateWindowColumns } from '../../entity-columns.js';

@Entity({ schema: 'gateway', name: 'idempotency' })
export class KeptAnswer extends KeptAnswerColumns {}

@Entity({ schema: 'gateway', name: 'rate_window' })
export class RateWindow extends RateWindowColumns {
  @PrimaryColumn('text')
  credential!: string;

  @Column('integer')
  hourlyLimit!: number;
}
