/** A schema of a team: its PostgreSQL schema and role. */
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'knowledge_models', name: 'team_schema' })
export class TeamSchema {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  schemaName!: string;

  @Column('text')
  physicalName!: string;

  @Column('text')
  roleName!: string;
}
