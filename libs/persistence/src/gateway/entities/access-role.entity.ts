/** A role that a team defined: a name for scopes. The built-in roles are in the contracts and in no table. */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Team } from './team.entity.js';

@Entity({ schema: 'gateway', name: 'access_role' })
export class AccessRole {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  name!: string;

  @Column('text', { default: '' })
  description!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('text', { array: true, default: [] })
  furtherScopes!: string[];

  @ManyToOne(() => Team)
  @JoinColumn([{ name: 'tenant', referencedColumnName: 'tenant' }])
  team?: Relation<Team>;
}
