import { CodedError } from '../../base/errors.ts';
import { initializeUser } from '../../protocol/farms/operations/initialize-user.ts';
import { stake } from '../../protocol/farms/operations/stake.ts';
import { kvaultRefuses } from '../../protocol/kvault/errors.ts';
import { depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import type { Scene } from '../build.ts';
import { type FarmStake, farmOf, heldStake, momentOf } from '../farms/stake-context.ts';
import { vaultMoment, vaultOf } from '../vaults/vault-at-slot.ts';
import { depositPlace, type VaultDeposit, vaultDeposit } from '../vaults/vault-deposit-builder.ts';
import type { VaultDepositRequest } from '../vaults/vault-request.ts';
import { heldToken, isWrappedSol } from '../wallet/token-accounts.ts';
import { requireTokens } from './program-rejections.ts';
import { forecastRun } from './run-simulation.ts';
import type { Forecast } from './simulation-outcome.ts';
import type { Moved } from './wallet-changes.ts';

/** Of the framework that the vault program is written with. */
const ACCOUNT_NOT_INITIALIZED = 3012;

/** What the vault and the farm would do with a deposit at the state's slot. */
export function forecastVaultDeposit(request: VaultDepositRequest, scene: Scene): Forecast {
  const build = vaultDeposit.build(request, scene);
  const deposit = depositPlace(request, scene);
  const wrapped = isWrappedSol(deposit.place.token) ? request.amount : 0n;
  const overflow = kvaultRefuses('MathOverflow', 'a number does not fit');
  return forecastRun({ build, scene, wrapped, overflow }, () => run(deposit, wrapped, scene));
}

function run({ place, amount, stake: into }: VaultDeposit, wrapped: bigint, scene: Scene): Moved[] {
  const { token, shares } = place;
  const held = heldToken(token, scene);
  if (held === undefined && !isWrappedSol(token)) throw noAccount(token.label);
  const moment = vaultMoment(place, scene.state, 0n);
  const effects = depositToVault(vaultOf(place), moment, amount);
  const paid = effects.tokenToDeposit + effects.crankFundsToDeposit;
  requireTokens({ has: (held?.amount ?? 0n) + wrapped, needs: paid }, token.tokenProgram);
  const minted = effects.sharesToMint;
  const loose = heldToken(shares, scene)?.amount ?? 0n;
  if (into !== undefined) stakeShares(into, loose + minted, scene);
  return [
    { token, added: wrapped - paid },
    { token: shares, added: into === undefined ? minted : -loose },
  ];
}

/** Refuses what the farm refuses. */
function stakeShares(into: FarmStake, amount: bigint, scene: Scene): void {
  const { wallet, farm, delegatee } = into;
  const moment = momentOf(into, scene.state);
  const user = heldStake(into, scene);
  const who = { farmState: farm.address, owner: wallet, delegatee, bump: 0 };
  const position =
    user === undefined ? initializeUser(farmOf(into), who, moment) : { farm: farmOf(into), user };
  stake(position, amount, moment);
}

function noAccount(label: string): CodedError {
  const reason = `the wallet has no account for ${label}`;
  const name = 'AccountNotInitialized';
  const code = ACCOUNT_NOT_INITIALIZED;
  return new CodedError('PROGRAM_REFUSES', { program: 'kvault', code, name, reason });
}
