/** The calls that an asset took in one minute, with what the last statement asked of the row. */
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'tool_gateway', name: 'rate_window' })
@Check('rate_window_used_check', 'used >= 0')
export class RateWindow {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  assetId!: string;

  @PrimaryColumn('timestamptz')
  windowStart!: Date;

  @Column('integer')
  used!: number;

  @Column('integer')
  granted!: number;

  @Column('integer')
  settled!: number;

  @Column('integer')
  callsPerMinute!: number;
}
