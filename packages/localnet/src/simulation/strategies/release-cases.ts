import { reserveAddress } from '../../genesis/accounts/market.ts';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import type { VaultKey } from '../../genesis/specs/vault-specs.ts';
import { attempt } from '../actions/attempt.ts';
import { chargeBySeconds } from '../actions/reserve-config-actions.ts';
import { closeAllocations } from '../actions/vault-config-actions.ts';
import { investVault } from '../actions/vault-investment.ts';
import {
  leaveVaultAction,
  type ScheduledAction,
  type ScriptedAction,
  sequence,
  vaultDepositAction,
} from './scripted-actions.ts';

const THOUSAND = 1_000n;
const DAY = 24;

/** What the releases of 2026 made possible. Older releases of the programs do not have all of it. */
export const releaseCases = (): readonly ScheduledAction[] => [
  ...changedBasis(),
  ...permissionedVault(),
  ...fullVault(),
  ...evacuatedVault(),
];

/** The reserve charged interest per slot, and charges it per second from then on. */
function changedBasis(): ScheduledAction[] {
  const change: ScriptedAction = ({ simulator, agents, keys }, counts) => {
    if (simulator.rules.lending.accrualBasis === 'slots') return;
    const reserve = reserveAddress(keys, 'main', 'PYUSD');
    attempt(counts, () => chargeBySeconds(simulator, reserve, agents.named('owner/main')));
  };
  return [{ hoursBefore: 100 * DAY, action: change }];
}

/** One member stays, and one leaves. */
const permissionedVault = (): ScheduledAction[] => [
  { hoursBefore: 120 * DAY, action: deposit(5, 'pilot', 12n) },
  { hoursBefore: 80 * DAY, action: deposit(6, 'pilot', 7n) },
  { hoursBefore: 25 * DAY, action: leaveVaultAction(6, 'pilot') },
];

/** The second deposit is cut to what the deposit cap leaves, and the third one fails. */
const fullVault = (): ScheduledAction[] => [
  { hoursBefore: 95 * DAY, action: deposit(2, 'basin', 30n) },
  { hoursBefore: 70 * DAY, action: deposit(3, 'basin', 40n) },
  { hoursBefore: 30 * DAY, action: deposit(4, 'basin', 5n) },
];

/** The vault lends, and then takes everything back and lends no more. */
function evacuatedVault(): ScheduledAction[] {
  const invest: ScriptedAction = ({ simulator, agents, keys }, counts) => {
    for (const record of investVault(simulator, vaultAddress(keys, 'ferry'), agents.marketMaker))
      attempt(counts, () => record);
  };
  const close: ScriptedAction = ({ simulator, agents, keys }, counts) => {
    const vault = vaultAddress(keys, 'ferry');
    attempt(counts, () => closeAllocations(simulator, vault, agents.named('admin/ferry')));
  };
  return [
    { hoursBefore: 130 * DAY, action: sequence(deposit(7, 'ferry', 20n), invest) },
    { hoursBefore: 40 * DAY, action: sequence(close, invest) },
  ];
}

/** In thousands of dollars. */
const deposit = (wallet: number, vault: VaultKey, thousands: bigint): ScriptedAction =>
  vaultDepositAction(wallet, vault, { usd: thousands * THOUSAND, stake: false });
