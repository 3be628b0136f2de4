/** An entry of the call log. The id contains the start time (UUID version 7). */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'tool_gateway', name: 'tool_call' })
@Index('tool_call_of_asset', ['tenant', 'assetId', 'callId'])
@Index('tool_call_of_subject', ['tenant', 'subject', 'callId'])
export class ToolCall {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  callId!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  door!: string;

  @Column('text')
  assetId!: string;

  @Column('text')
  version!: string;

  @Column('bytea')
  digest!: Buffer;

  @Column('text')
  toolId!: string;

  @Column('bytea')
  argumentsDigest!: Buffer;

  @Column('bigint', { nullable: true })
  durationUs!: string | null;

  @Column('text')
  outcome!: string;

  @Column('text')
  requestId!: string;
}
