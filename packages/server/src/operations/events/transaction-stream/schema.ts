import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import {
  MarketParameter,
  VaultParameter,
  WalletParameter,
} from '../../../support/schemas/address-parameters.ts';

export const TransactionStreamQuery = Type.Object({
  wallet: describe(Type.Optional(WalletParameter), 'Events of this wallet'),
  vault: describe(Type.Optional(VaultParameter), 'Events of this vault'),
  market: describe(Type.Optional(MarketParameter), 'Events of this lending market'),
  cursor: describe(
    Type.Optional(Type.String({ maxLength: 200 })),
    'The id of the last event that you have: the stream begins after it. The header last-event-id takes precedence. Without either, the stream begins now',
  ),
  env: Type.Optional(ClusterNameString),
});
