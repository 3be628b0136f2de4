/** A schema of a team: the PostgreSQL schema and the role that it stands for. */
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
