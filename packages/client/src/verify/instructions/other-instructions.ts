import type { ReasonCode } from '../reasons.ts';
import type { ProgramName } from './instruction-spec.ts';

/** An instruction that no builder uses, with what it would do. */
export type OtherInstruction = {
  readonly name: string;
  readonly code: ReasonCode;
  readonly effect: string;
};

type Row = readonly [prefix: string, name: string, effect: string, code?: ReasonCode];

const MOVES = 'HIDDEN_TRANSFER';
const APPROVES = 'TOKEN_APPROVAL';
const CHANGES = 'AUTHORITY_CHANGE';

const rows: Readonly<Record<ProgramName, readonly Row[]>> = {
  system: [
    ['00000000', 'createAccount', 'creates an account with SOL of the wallet', MOVES],
    ['01000000', 'assign', 'gives the account of the wallet to a program', CHANGES],
    ['02000000', 'transfer', 'transfers SOL', MOVES],
    ['03000000', 'createAccountWithSeed', 'creates an account with SOL of the wallet', MOVES],
    ['04000000', 'advanceNonceAccount', 'makes the transaction valid for ever', 'DURABLE_NONCE'],
    ['05000000', 'withdrawNonceAccount', 'withdraws SOL from a nonce account', MOVES],
    ['06000000', 'initializeNonceAccount', 'opens a nonce account', 'DURABLE_NONCE'],
    ['07000000', 'authorizeNonceAccount', 'changes who uses a nonce account', CHANGES],
    ['08000000', 'allocate', 'gives the account of the wallet data', CHANGES],
    ['0b000000', 'transferWithSeed', 'transfers SOL', MOVES],
  ],
  token: [
    ['03', 'transfer', 'transfers tokens', MOVES],
    ['04', 'approve', 'lets another account spend tokens', APPROVES],
    ['05', 'revoke', 'removes a delegate'],
    ['06', 'setAuthority', 'changes who owns or controls a token account', CHANGES],
    ['07', 'mintTo', 'mints tokens', MOVES],
    ['08', 'burn', 'destroys tokens', MOVES],
    ['0c', 'transferChecked', 'transfers tokens', MOVES],
    ['0d', 'approveChecked', 'lets another account spend tokens', APPROVES],
    ['0f', 'burnChecked', 'destroys tokens', MOVES],
    ['1a', 'transferFeeExtension', 'transfers tokens or changes fees', MOVES],
  ],
  associatedToken: [
    ['00', 'create', 'creates a token account'],
    ['02', 'recoverNested', 'moves tokens out of a nested account', MOVES],
  ],
  computeBudget: [
    ['01', 'requestHeapFrame', 'asks for more memory'],
    ['04', 'setLoadedAccountsDataSizeLimit', 'limits the size of the accounts'],
  ],
  klend: [
    ['2477fb8122f00793', 'requestElevationGroup', 'changes the elevation group of the loan'],
    ['caf97572e7c02f8a', 'withdrawObligationCollateralV2', 'withdraws cTokens', MOVES],
    ['2574cd67f3c05cc6', 'withdrawObligationCollateral', 'withdraws cTokens', MOVES],
    ['a9c91e7e06cd6644', 'depositReserveLiquidity', 'swaps tokens for cTokens', MOVES],
    ['ea75b57db98edc1d', 'redeemReserveCollateral', 'swaps cTokens for tokens', MOVES],
    ['7f2a51da93ab4c99', 'initiateObligationOwnershipTransfer', 'gives the loan away', CHANGES],
    ['3de3e72ec47c3ca1', 'approveObligationOwnershipTransfer', 'gives the loan away', CHANGES],
    ['f98246b097bbef06', 'acceptObligationOwnership', 'takes over a loan', CHANGES],
    ['5101639cd3534e2e', 'setObligationOrder', 'lets others trade the collateral', CHANGES],
    ['b1ba2d3deb5b448b', 'setBorrowOrder', 'lets others fill a borrow order', CHANGES],
  ],
  kvault: [
    ['66063d1201daebea', 'buy', 'buys shares', MOVES],
    ['33e685a4017f83ad', 'sell', 'sells shares', MOVES],
    ['663abdfcc0db8c59', 'redeemInKind', 'redeems shares for cTokens', MOVES],
    ['a1b028d53cb8b3e4', 'updateAdmin', 'changes the administrator of a vault', CHANGES],
    ['7a0315de9effee9d', 'updateVaultConfig', 'changes the settings of a vault', CHANGES],
  ],
  farms: [
    ['41b1d749352d632f', 'transferOwnership', 'gives the stake away', CHANGES],
    ['f01809e356e1c75f', 'closeEmptyUserState', 'closes a stake account'],
    ['83a6405e6cd572b7', 'depositToFarmVault', 'adds tokens to a farm', MOVES],
    ['58ba19e326895117', 'addRewards', 'pays rewards into a farm', MOVES],
  ],
};

/** The prefixes of one program are equally long. */
export function findOtherInstruction(
  program: ProgramName,
  data: string,
): OtherInstruction | undefined {
  const row = rows[program].find(([prefix]) => data.startsWith(prefix));
  if (row === undefined) return undefined;
  const [, name, effect, code = 'UNEXPECTED_INSTRUCTION'] = row;
  return { name, effect, code };
}
