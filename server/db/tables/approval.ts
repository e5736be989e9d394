// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Json, Moment } from '../columns.ts';

export interface ApprovalTable {
  id: Defaulted<number>;
  createTime: Defaulted<Moment>;
  expireTime: Moment;
  status: Defaulted<'PENDING' | 'RELEASED' | 'REJECTED' | 'WITHDRAWN'>;
  call: string;
  summary: string;
  targetId: string | null;
  release: string;
  why: string;
  reason: string | null;
  input: Json;
  sealed: Buffer | null;
  before: Json | null;
  after: Json | null;
  digest: Buffer;
  makerId: number;
  maker: string;
  makerSession: string;
  makerAddress: string;
  makerAgent: string;
  checkerId: number | null;
  checker: string | null;
  checkerAddress: string | null;
  decideTime: Moment | null;
  decideReason: string | null;
  access: Json | null;
}
