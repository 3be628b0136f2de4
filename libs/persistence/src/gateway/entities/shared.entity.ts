/** Tables that other services have as well. */
import { Entity } from 'typeorm';
import { KeptAnswerColumns } from '../../entity-columns.js';

@Entity({ schema: 'gateway', name: 'idempotency' })
export class KeptAnswer extends KeptAnswerColumns {}
