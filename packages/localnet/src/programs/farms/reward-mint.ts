import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { farmsRejection } from '@tidegate/core/protocol/farms';
import { type Extension, mint } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { decodeOrFail } from './farm-token-accounts.ts';

/** Allowed extension types that are stored as raw data. */
const CONFIDENTIAL_TRANSFER_FEE_CONFIG = 16;
const TOKEN_METADATA = 19;
const INITIALIZED = 1;

/** Rejects reward mints with extensions that may reduce or block a payout. */
export function checkRewardMint(call: InvokeContext, address: Address): void {
  const { extensions } = decodeOrFail(() => mint.decode(call.account(address)));
  const rejected = extensions?.entries.find((entry) => !isAllowed(entry));
  if (rejected === undefined) return;
  throw farmsRejection(
    'UnsupportedTokenExtension',
    `its extension ${rejected.kind} is not allowed`,
  );
}

function isAllowed(entry: Extension): boolean {
  switch (entry.kind) {
    case 'confidentialTransferMint':
    case 'mintCloseAuthority':
    case 'metadataPointer':
    case 'permanentDelegate':
      return true;
    case 'transferFeeConfig':
      return (
        entry.value.olderTransferFee.transferFeeBasisPoints === 0 &&
        entry.value.newerTransferFee.transferFeeBasisPoints === 0
      );
    case 'transferHook':
      return entry.value.programId === ZERO_ADDRESS;
    case 'defaultAccountState':
      return entry.value.state === INITIALIZED;
    case 'other':
      return entry.type === CONFIDENTIAL_TRANSFER_FEE_CONFIG || entry.type === TOKEN_METADATA;
    default:
      return false;
  }
}
