import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { Extension } from './layout/extensions.ts';
import type { Mint } from './layout/mint.ts';

/** Extension types that are not decoded here but that the lending program accepts. */
const CONFIDENTIAL_TRANSFER_FEE_CONFIG = 16;
const TOKEN_METADATA = 19;

/** The extensions that make the lending program reject the mint (6108). */
export function unsupportedExtensions({ extensions }: Mint): Extension[] {
  return (extensions?.entries ?? []).filter((entry) => !isSupported(entry));
}

function isSupported(entry: Extension): boolean {
  switch (entry.kind) {
    case 'mintCloseAuthority':
    case 'metadataPointer':
    case 'permanentDelegate':
    case 'scaledUiAmountConfig':
      return true;
    case 'transferFeeConfig':
      return (
        entry.value.olderTransferFee.transferFeeBasisPoints === 0 &&
        entry.value.newerTransferFee.transferFeeBasisPoints === 0
      );
    case 'transferHook':
      return entry.value.programId === ZERO_ADDRESS;
    case 'confidentialTransferMint':
      return entry.value.autoApproveNewAccounts === 0;
    case 'defaultAccountState':
      return entry.value.state === 1 || entry.value.state === 2;
    case 'pausableConfig':
      return entry.value.paused === 0;
    case 'other':
      return entry.type === CONFIDENTIAL_TRANSFER_FEE_CONFIG || entry.type === TOKEN_METADATA;
    default:
      return false;
  }
}
