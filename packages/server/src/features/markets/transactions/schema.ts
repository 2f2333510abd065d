import { type Static, Type } from 'typebox';
import {
  EventQueryRequest,
  FlagString,
  PaginationToken,
} from '../../event-query/event-query-schema.ts';
import { ProgramIdString } from '../../lending-program/program-id.ts';

const BulkLendTx = Type.Object(
  {
    ixs: Type.Array(Type.Unsafe<Record<string, unknown>>({})),
    timestamp: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    signature: Type.String(),
    obligation: Type.String(),
    wallet: Type.String(),
    rawJson: Type.Optional(Type.String()),
  },
  { title: 'BulkLendTx' },
);

export type BulkLendTx = Static<typeof BulkLendTx>;

export const BulkLendTxPage = Type.Object(
  { result: Type.Array(BulkLendTx), paginationToken: PaginationToken },
  { title: 'BulkLendTxPage' },
);

export const BulkLendTxRequest = EventQueryRequest;

export const BulkLendTxQuery = Type.Object({
  programId: Type.Optional(ProgramIdString),
  includeRawJson: Type.Optional(FlagString),
});
