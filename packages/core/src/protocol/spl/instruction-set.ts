import type { Address } from '../../base/encoding/address.ts';
import type { InstructionAccountRoles } from '../../base/solana/instruction.ts';
import {
  createInstructionSet,
  type InstructionDecoder,
  type InstructionSet,
} from '../../base/solana/instruction-set.ts';
import {
  createAssociatedToken,
  createAssociatedTokenIdempotent,
  createAssociatedTokenWithoutData,
} from './instructions/associated-token.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from './instructions/compute-budget.ts';
import {
  closeLookupTable,
  createLookupTable,
  deactivateLookupTable,
  extendLookupTable,
} from './instructions/lookup-table.ts';
import {
  advanceNonceAccount,
  assign,
  createAccount,
  systemTransfer,
} from './instructions/system-program.ts';
import {
  closeAccount,
  initializeAccount3,
  setAuthority,
  syncNative,
} from './instructions/token-account.ts';
import {
  approve,
  approveChecked,
  burn,
  burnChecked,
  mintTo,
  mintToChecked,
  revoke,
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from './instructions/token-transfer.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './programs.ts';

const tokenCodecs = [
  tokenTransfer,
  transferChecked,
  approve,
  approveChecked,
  revoke,
  setAuthority,
  mintTo,
  mintToChecked,
  burn,
  burnChecked,
  closeAccount,
  syncNative,
  initializeAccount3,
];

/** The instructions of both token programs. */
const otherTokenInstructions = {
  '00': 'initializeMint',
  '01': 'initializeAccount',
  '02': 'initializeMultisig',
  '0a': 'freezeAccount',
  '0b': 'thawAccount',
  '10': 'initializeAccount2',
  '13': 'initializeMultisig2',
  '14': 'initializeMint2',
  '15': 'getAccountDataSize',
  '16': 'initializeImmutableOwner',
  '17': 'amountToUiAmount',
  '18': 'uiAmountToAmount',
};

type SplInstructionSet = InstructionSet<
  InstructionDecoder & { readonly accounts: InstructionAccountRoles }
>;

const sets = new Map<Address, SplInstructionSet>([
  [TOKEN_PROGRAM, createInstructionSet(tokenCodecs, otherTokenInstructions)],
  [
    TOKEN_2022_PROGRAM,
    createInstructionSet([...tokenCodecs, transferCheckedWithFee], otherTokenInstructions),
  ],
  [
    ASSOCIATED_TOKEN_PROGRAM,
    createInstructionSet(
      [createAssociatedToken, createAssociatedTokenWithoutData, createAssociatedTokenIdempotent],
      { '02': 'recoverNested' },
    ),
  ],
  [
    SYSTEM_PROGRAM,
    createInstructionSet([systemTransfer, createAccount, assign, advanceNonceAccount], {
      '03000000': 'createAccountWithSeed',
      '05000000': 'withdrawNonceAccount',
      '06000000': 'initializeNonceAccount',
      '07000000': 'authorizeNonceAccount',
      '08000000': 'allocate',
      '09000000': 'allocateWithSeed',
      '0a000000': 'assignWithSeed',
      '0b000000': 'transferWithSeed',
      '0c000000': 'upgradeNonceAccount',
    }),
  ],
  [
    COMPUTE_BUDGET_PROGRAM,
    createInstructionSet([setComputeUnitLimit, setComputeUnitPrice], {
      '01': 'requestHeapFrame',
      '04': 'setLoadedAccountsDataSizeLimit',
    }),
  ],
  [
    ADDRESS_LOOKUP_TABLE_PROGRAM,
    createInstructionSet(
      [createLookupTable, extendLookupTable, deactivateLookupTable, closeLookupTable],
      { '01000000': 'freezeLookupTable' },
    ),
  ],
]);

/** The instructions of a native or SPL program. Undefined for other programs. */
export const splInstructions = (program: Address): SplInstructionSet | undefined =>
  sets.get(program);
