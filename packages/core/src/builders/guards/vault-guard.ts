import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { READ, SIGN, WRITE } from '../../base/solana/instruction.ts';
import { lendingMarketAuthority } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAMS } from '../../protocol/klend/program.ts';
import {
  deposit,
  depositWithMinSharesOut,
  withdraw,
  withdrawFromAvailable,
} from '../../protocol/kvault/instructions/shares.ts';
import type {
  VaultAllocationView,
  VaultStateView,
} from '../../protocol/kvault/layout/vault-state.ts';
import { eventAuthority, globalConfigAddress } from '../../protocol/kvault/pda.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import {
  type AccountRule,
  type AllowedInstruction,
  allowInstruction,
  calledProgram,
  equals,
  type GuardCall,
  instructionsSysvar,
  type RemainingAccountsRule,
  sameAccountAs,
  signingWallet,
  tokenProgram,
} from './account-rules.ts';
import { reserveRules } from './lending-account-rules.ts';

const vaultIn = ({ accounts, context }: GuardCall): VaultStateView | undefined =>
  context.state.vault(accounts['vaultState'] ?? ZERO_ADDRESS)?.fields;

const vaultAddress =
  (pick: (vault: VaultStateView, call: GuardCall) => Address) =>
  (call: GuardCall): Address | undefined => {
    const vault = vaultIn(call);
    return vault === undefined ? undefined : pick(vault, call);
  };

const vault = {
  tokenVault: equals(vaultAddress((state) => state.tokenVault)),
  mint: equals(vaultAddress((state) => state.tokenMint)),
  authority: equals(vaultAddress((state) => state.baseVaultAuthority)),
  sharesMint: equals(vaultAddress((state) => state.sharesMint)),
  tokenProgram: equals(vaultAddress((state) => state.tokenProgram)),
  walletTokens: equals(
    vaultAddress((state, { context }) => context.tokenAccount(state.tokenMint, state.tokenProgram)),
  ),
  walletShares: equals(
    vaultAddress((state, { context }) => context.tokenAccount(state.sharesMint, TOKEN_PROGRAM)),
  ),
};

/** A vault in the state that belongs to the called program. */
const knownVault: AccountRule = (address, { program, context }) =>
  context.state.vault(address ?? ZERO_ADDRESS)?.program === program;

const globalConfig = equals(({ program, context }) => context.derive(globalConfigAddress, program));
const vaultEventAuthority = equals(({ program, context }) =>
  context.derive(eventAuthority, program),
);

const allocationsIn = (call: GuardCall): VaultAllocationView[] =>
  [...(vaultIn(call)?.vaultAllocationStrategy ?? [])].filter(
    ({ reserve }) => reserve !== ZERO_ADDRESS,
  );

const allocationTo = (reserve: Address | undefined, call: GuardCall) =>
  allocationsIn(call).find((allocation) => allocation.reserve === reserve);

/** The lending program of all reserves that the vault lends to. */
const lendingProgram: AccountRule = (address, call) =>
  address !== undefined &&
  KLEND_PROGRAMS.includes(address) &&
  allocationsIn(call).every(
    ({ reserve }) => call.context.state.reserve(reserve)?.program === address,
  );

const allocatedReserve: AccountRule = (address, call) => allocationTo(address, call) !== undefined;

const ctokenVault = equals((call) => allocationTo(call.accounts['reserve'], call)?.ctokenVault);

const marketAuthority = equals(({ accounts, context }) => {
  const { lendingMarket, klendProgram } = accounts;
  return lendingMarket === undefined || klendProgram === undefined
    ? undefined
    : context.derive(lendingMarketAuthority, lendingMarket, klendProgram);
});

/** Writable: reserves that the vault lends to. Read-only: their markets. Signing: the permissioning authority. */
const remainingAccounts: RemainingAccountsRule = (call) => {
  const reserves = new Set(allocationsIn(call).map(({ reserve }) => reserve));
  const markets = new Set(
    [...reserves].map((reserve) => call.context.state.reserve(reserve)?.fields.lendingMarket),
  );
  const authority = vaultIn(call)?.permissioningAuthority;
  return ({ address, role }) =>
    (role === WRITE && reserves.has(address)) ||
    (role === READ && markets.has(address)) ||
    (role === SIGN && address === authority && address !== ZERO_ADDRESS);
};

const reserve = reserveRules('reserve');

const depositRules = {
  user: signingWallet,
  vaultState: knownVault,
  tokenVault: vault.tokenVault,
  tokenMint: vault.mint,
  baseVaultAuthority: vault.authority,
  sharesMint: vault.sharesMint,
  userTokenAta: vault.walletTokens,
  userSharesAta: vault.walletShares,
  klendProgram: lendingProgram,
  tokenProgram: vault.tokenProgram,
  sharesTokenProgram: tokenProgram,
  eventAuthority: vaultEventAuthority,
  program: calledProgram,
};

const availableWithdrawal = {
  user: signingWallet,
  vaultState: knownVault,
  globalConfig,
  tokenVault: vault.tokenVault,
  baseVaultAuthority: vault.authority,
  userTokenAta: vault.walletTokens,
  tokenMint: vault.mint,
  userSharesAta: vault.walletShares,
  sharesMint: vault.sharesMint,
  tokenProgram: vault.tokenProgram,
  sharesTokenProgram: tokenProgram,
  klendProgram: lendingProgram,
  eventAuthority: vaultEventAuthority,
  program: calledProgram,
};

/** The vault program instructions that a build may contain. */
export const allowedVaultInstructions: readonly AllowedInstruction[] = [
  allowInstruction(deposit, depositRules, { remaining: remainingAccounts }),
  allowInstruction(depositWithMinSharesOut, depositRules, { remaining: remainingAccounts }),
  allowInstruction(withdrawFromAvailable, availableWithdrawal, { remaining: remainingAccounts }),
  allowInstruction(
    withdraw,
    {
      ...availableWithdrawal,
      reserveVaultState: sameAccountAs('vaultState'),
      reserve: allocatedReserve,
      ctokenVault,
      lendingMarket: reserve.market,
      lendingMarketAuthority: marketAuthority,
      reserveLiquiditySupply: reserve.supply,
      reserveCollateralMint: reserve.collateralMint,
      reserveCollateralTokenProgram: tokenProgram,
      instructionSysvarAccount: instructionsSysvar,
      outerEventAuthority: vaultEventAuthority,
      outerProgram: calledProgram,
    },
    { remaining: remainingAccounts },
  ),
];
