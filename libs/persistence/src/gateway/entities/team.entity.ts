/** A team, and what it may grant to keys that it makes itself; null is the default of the platform. */
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'team' })
@Check('team_granted_hourly_limit_check', 'granted_hourly_limit > 0')
export class Team {
  @PrimaryColumn('text')
  tenant!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('text', { array: true, nullable: true })
  grantedScopes!: string[] | null;

  @Column('text', { array: true, default: [] })
  grantedFurtherScopes!: string[];

  @Column('json', { default: {} })
  /** Allowed values by name; `true` allows every value. */
  grantedAttributes!: Readonly<Record<string, true | readonly string[]>>;

  @Column('integer', { nullable: true })
  grantedHourlyLimit!: number | null;
}
