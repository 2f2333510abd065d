import type { CodedError } from '../../base/errors.ts';
import { stake } from '../../protocol/farms/operations/stake.ts';
import { initializeUser } from '../../protocol/farms/operations/user-states.ts';
import { kvaultRejection } from '../../protocol/kvault/errors.ts';
import { crankFunds, depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import type { BuildContext } from '../build.ts';
import { decodeFarm, farmContextOf, readStake, type StakeContext } from '../farms/stake-context.ts';
import { minDepositShares } from '../vaults/min-deposit-shares.ts';
import type { VaultActionContext } from '../vaults/vault-action-context.ts';
import { decodeVault, vaultRatesAtSlot } from '../vaults/vault-at-slot.ts';
import {
  planVaultDeposit,
  type VaultDepositPlan,
  vaultDepositBuilder,
} from '../vaults/vault-deposit-builder.ts';
import type { VaultDepositRequest } from '../vaults/vault-request.ts';
import { isWrappedSol, readWalletToken } from '../wallet/token-accounts.ts';
import {
  type FigureSubject,
  missingTokenAccount,
  requireTokenBalance,
} from './program-rejections.ts';
import { runSimulation } from './run-simulation.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import type { TokenDelta } from './wallet-changes.ts';

/** Simulates a vault deposit and its stake at the state's slot. */
export function simulateVaultDeposit(
  request: VaultDepositRequest,
  context: BuildContext,
): SimulationOutcome {
  const build = vaultDepositBuilder.build(request, context);
  const deposit = planVaultDeposit(request, context);
  const wrapped = isWrappedSol(deposit.target.token) ? request.amount : 0n;
  const overflow = overflowOf(deposit);
  const subject = vaultSubject(deposit.target);
  return runSimulation({ build, context, wrapped, overflow, subject }, () =>
    runDeposit(deposit, wrapped, context),
  );
}

/** An amount below the fee for the later `invest` overflows; it is also below the minimum of the vault. */
function overflowOf({ target, amount }: VaultDepositPlan): CodedError {
  const vault = decodeVault(target);
  const fee = crankFunds(vault);
  if (amount >= fee) return kvaultRejection('MathOverflow', 'a number overflows');
  const { minDepositAmount: limit } = vault;
  const needed = limit > 0n ? limit : 1n;
  return kvaultRejection('MathOverflow', `the amount of ${amount} is below the fee of ${fee}`, {
    unit: 'token',
    needed,
    available: 0n,
    limit: needed,
  });
}

function runDeposit(
  { target, amount, stake: shareStake }: VaultDepositPlan,
  wrapped: bigint,
  context: BuildContext,
): TokenDelta[] {
  const { token, shares } = target;
  const held = readWalletToken(token, context);
  if (held === undefined && !isWrappedSol(token))
    throw missingTokenAccount('kvault', token, amount);
  const rates = vaultRatesAtSlot(target, context.state, 0n);
  const minSharesOut = minDepositShares({ target, amount }, context) ?? 0n;
  const effects = depositToVault(decodeVault(target), rates, { maxAmount: amount, minSharesOut });
  const paid = effects.tokenToDeposit + effects.crankFundsToDeposit;
  const balance = (held?.amount ?? 0n) + wrapped;
  requireTokenBalance({ balance, required: paid }, token);
  const minted = effects.sharesToMint;
  const unstaked = readWalletToken(shares, context)?.amount ?? 0n;
  if (shareStake !== undefined) stakeShares(shareStake, unstaked + minted, context);
  return [
    { token, added: wrapped - paid },
    { token: shares, added: shareStake === undefined ? minted : -unstaked },
  ];
}

/** Throws the rejection of the farm, if any. */
function stakeShares(shareStake: StakeContext, amount: bigint, context: BuildContext): void {
  const { wallet, farm, delegatee } = shareStake;
  const farmContext = farmContextOf(shareStake, context.state);
  const user = readStake(shareStake, context);
  const newUser = { farmState: farm.address, owner: wallet, delegatee, bump: 0 };
  const position =
    user === undefined
      ? initializeUser(decodeFarm(shareStake), newUser, farmContext)
      : { farm: decodeFarm(shareStake), user };
  stake(position, amount, farmContext);
}

/** Limits of the vault and of its farm are in its token and in shares. */
export const vaultSubject = ({
  vault,
  token,
  shares,
  farm,
}: VaultActionContext): FigureSubject => ({
  token,
  shares,
  accounts: { kvault: vault.address, farms: farm?.address },
});
