import { unixSeconds } from '../../../base/encoding/branded-fields.ts';
import { flag, upTo } from '../../../base/encoding/known-values.ts';
import {
  array,
  type Decoded,
  padding,
  pubkey,
  u8,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KLEND_PROGRAMS } from '../program.ts';

export const withdrawTicket = account({
  name: 'klend.WithdrawTicket',
  owners: KLEND_PROGRAMS,
  discriminator: 'ed17a43a35f8f05e',
  fields: {
    sequenceNumber: u64,
    owner: pubkey,
    reserve: pubkey,
    userDestinationLiquidityTa: pubkey,
    queuedCollateralAmount: u64,
    createdAtTimestamp: unixSeconds,
    invalid: flag(u8),
    progressCallbackType: upTo(u8, 1),
    alignmentPadding: padding(6),
    progressCallbackCustomAccounts: array(pubkey, 2),
    endPadding: padding(320),
  },
});

export type WithdrawTicket = Decoded<typeof withdrawTicket>;
export type WithdrawTicketView = View<typeof withdrawTicket>;
