/** An agent: its published version, and its draft. */
import { Entity, PrimaryColumn } from 'typeorm';
import { DefinitionColumns } from '../../entity-columns.js';

@Entity({ schema: 'agents', name: 'agent' })
export class Agent extends DefinitionColumns {
  @PrimaryColumn('text')
  agentId!: string;
}
