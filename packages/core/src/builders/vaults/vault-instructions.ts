import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import {
  type AccountMeta,
  type Instruction,
  READ,
  SIGN,
  WRITE,
} from '../../base/solana/instruction.ts';
import { lendingMarketAuthority } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import {
  deposit,
  depositWithMinSharesOut,
  withdraw,
  withdrawFromAvailable,
} from '../../protocol/kvault/instructions/shares.ts';
import { eventAuthority, globalConfigAddress } from '../../protocol/kvault/pda.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { walletTokenAddress } from '../wallet/token-accounts.ts';
import type { VaultActionContext } from './vault-action-context.ts';

/** Without a minimum of shares for releases that have no such instruction. */
export function vaultDepositInstruction(
  target: VaultActionContext,
  amount: bigint,
  minSharesOut: bigint | undefined,
): Instruction {
  const call = { accounts: vaultAccounts(target), remaining: remainingAccounts(target) };
  const maxAmount = toLamports(amount);
  return minSharesOut === undefined
    ? deposit.build(target.vault.program, { ...call, args: { maxAmount } })
    : depositWithMinSharesOut.build(target.vault.program, {
        ...call,
        args: { maxAmount, minSharesOut },
      });
}

/** The shares that one withdrawal instruction burns; only idle tokens without a reserve. */
export type RedemptionStep = { readonly reserve: Address | undefined; readonly shares: bigint };

export function vaultWithdrawInstruction(
  target: VaultActionContext,
  { reserve, shares }: RedemptionStep,
): Instruction {
  const source = target.reserves.find(({ address }) => address === reserve);
  const accounts = vaultAccounts(target);
  const call = { args: { sharesAmount: shares }, remaining: remainingAccounts(target) };
  if (source === undefined) {
    return withdrawFromAvailable.build(target.vault.program, { accounts, ...call });
  }
  const { lendingMarket, liquidity, collateral } = source.fields;
  return withdraw.build(target.vault.program, {
    accounts: {
      ...accounts,
      reserveVaultState: accounts.vaultState,
      reserve: source.address,
      ctokenVault: source.ctokenVault,
      lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket, source.program),
      reserveLiquiditySupply: liquidity.supplyVault,
      reserveCollateralMint: collateral.mintPubkey,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      outerEventAuthority: accounts.eventAuthority,
      outerProgram: accounts.program,
    },
    ...call,
  });
}

function vaultAccounts({ wallet, vault, reserves, token, shares }: VaultActionContext) {
  const { program, fields } = vault;
  return {
    user: wallet,
    vaultState: vault.address,
    globalConfig: globalConfigAddress(program),
    tokenVault: fields.tokenVault,
    tokenMint: fields.tokenMint,
    baseVaultAuthority: fields.baseVaultAuthority,
    sharesMint: fields.sharesMint,
    userTokenAta: walletTokenAddress(token),
    userSharesAta: walletTokenAddress(shares),
    klendProgram: reserves[0]?.program ?? KLEND_PROGRAM,
    tokenProgram: fields.tokenProgram,
    sharesTokenProgram: TOKEN_PROGRAM,
    eventAuthority: eventAuthority(program),
    program,
  };
}

/** Lists a market once per reserve, even if several reserves share it. */
const remainingAccounts = (target: VaultActionContext): readonly AccountMeta[] => [
  ...target.reserves.map(({ address }): AccountMeta => ({ address, role: WRITE })),
  ...target.reserves.map(
    ({ fields }): AccountMeta => ({ address: fields.lendingMarket, role: READ }),
  ),
  ...coSigners(target).map((address): AccountMeta => ({ address, role: SIGN })),
];

/** The permissioning authority of the vault, if it has one. */
const coSigners = ({ vault }: VaultActionContext): readonly Address[] =>
  [vault.fields.permissioningAuthority].filter((address) => address !== ZERO_ADDRESS);

/** What else the wallet has to do with the transaction before it can be sent. */
export const coSignerNotes = (target: VaultActionContext): string[] =>
  coSigners(target)
    .filter((address) => address !== target.wallet)
    .map(
      (address) =>
        `The vault is permissioned: ${address} must sign the transaction as well, or the vault program rejects it.`,
    );
