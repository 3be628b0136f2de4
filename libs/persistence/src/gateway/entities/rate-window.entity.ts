/** The requests that a credential used in one hour, with what the last statement asked of the row. */
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'rate_window' })
@Check('rate_window_used_check', 'used >= 0')
export class RateWindow {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  credential!: string;

  @PrimaryColumn('timestamptz')
  windowStart!: Date;

  @Column('integer')
  used!: number;

  @Column('integer')
  granted!: number;

  @Column('integer')
  settled!: number;

  @Column('integer')
  hourlyLimit!: number;
}
