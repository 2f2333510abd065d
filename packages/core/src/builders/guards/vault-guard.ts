import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { READ, WRITE } from '../../base/solana/instruction.ts';
import { lendingMarketAuthority } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAMS } from '../../protocol/klend/program.ts';
import { deposit } from '../../protocol/kvault/instructions/deposit.ts';
import { withdraw } from '../../protocol/kvault/instructions/withdraw.ts';
import { withdrawFromAvailable } from '../../protocol/kvault/instructions/withdraw-from-available.ts';
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

const vaultIn = ({ accounts, build }: GuardCall): VaultStateView | undefined =>
  build.state.vault(accounts['vaultState'] ?? ZERO_ADDRESS)?.fields;

const fact =
  (pick: (vault: VaultStateView, call: GuardCall) => Address) =>
  (call: GuardCall): Address | undefined => {
    const vault = vaultIn(call);
    return vault === undefined ? undefined : pick(vault, call);
  };

const vault = {
  tokenVault: equals(fact((state) => state.tokenVault)),
  mint: equals(fact((state) => state.tokenMint)),
  authority: equals(fact((state) => state.baseVaultAuthority)),
  sharesMint: equals(fact((state) => state.sharesMint)),
  tokenProgram: equals(fact((state) => state.tokenProgram)),
  walletTokens: equals(
    fact((state, { build }) => build.tokenAccount(state.tokenMint, state.tokenProgram)),
  ),
  walletShares: equals(
    fact((state, { build }) => build.tokenAccount(state.sharesMint, TOKEN_PROGRAM)),
  ),
};

/** One that state holds, of the program that is called. */
const knownVault: AccountRule = (address, { program, build }) =>
  build.state.vault(address ?? ZERO_ADDRESS)?.program === program;

const globalConfig = equals(({ program, build }) => build.derive(globalConfigAddress, program));
const eventsOfVault = equals(({ program, build }) => build.derive(eventAuthority, program));

const allocationsIn = (call: GuardCall): VaultAllocationView[] =>
  [...(vaultIn(call)?.vaultAllocationStrategy ?? [])].filter(
    ({ reserve }) => reserve !== ZERO_ADDRESS,
  );

const allocationTo = (reserve: Address | undefined, call: GuardCall) =>
  allocationsIn(call).find((allocation) => allocation.reserve === reserve);

/** The program of all reserves that the vault lends to. */
const lendingProgram: AccountRule = (address, call) =>
  address !== undefined &&
  KLEND_PROGRAMS.includes(address) &&
  allocationsIn(call).every(
    ({ reserve }) => call.build.state.reserve(reserve)?.program === address,
  );

const lentTo: AccountRule = (address, call) => allocationTo(address, call) !== undefined;

const ctokenVault = equals((call) => allocationTo(call.accounts['reserve'], call)?.ctokenVault);

const marketAuthority = equals(({ accounts, build }) => {
  const { lendingMarket, klendProgram } = accounts;
  return lendingMarket === undefined || klendProgram === undefined
    ? undefined
    : build.derive(lendingMarketAuthority, lendingMarket, klendProgram);
});

/** Reserves that the vault lends to, to write, and their markets, to read. */
const reservesAndMarkets: RemainingAccountsRule = (call) => {
  const reserves = new Set(allocationsIn(call).map(({ reserve }) => reserve));
  const markets = new Set(
    [...reserves].map((reserve) => call.build.state.reserve(reserve)?.fields.lendingMarket),
  );
  return ({ address, role }) =>
    (role === WRITE && reserves.has(address)) || (role === READ && markets.has(address));
};

const reserve = reserveRules('reserve');

const fromAvailable = {
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
  eventAuthority: eventsOfVault,
  program: calledProgram,
};

/** What a build may ask of the vault program. */
export const allowedVaultInstructions: readonly AllowedInstruction[] = [
  allowInstruction(
    deposit,
    {
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
      eventAuthority: eventsOfVault,
      program: calledProgram,
    },
    { remaining: reservesAndMarkets },
  ),
  allowInstruction(withdrawFromAvailable, fromAvailable, { remaining: reservesAndMarkets }),
  allowInstruction(
    withdraw,
    {
      ...fromAvailable,
      reserveVaultState: sameAccountAs('vaultState'),
      reserve: lentTo,
      ctokenVault,
      lendingMarket: reserve.market,
      lendingMarketAuthority: marketAuthority,
      reserveLiquiditySupply: reserve.supply,
      reserveCollateralMint: reserve.collateralMint,
      reserveCollateralTokenProgram: tokenProgram,
      instructionSysvarAccount: instructionsSysvar,
      outerEventAuthority: eventsOfVault,
      outerProgram: calledProgram,
    },
    { remaining: reservesAndMarkets },
  ),
];
