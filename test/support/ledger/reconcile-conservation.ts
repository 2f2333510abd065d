import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import { vaultAddress } from '#localnet/genesis/accounts/vault.ts';
import { createSeededKeys } from '#localnet/genesis/seed/seeded-keys.ts';
import {
  type Decimal50,
  parseDecimal50,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { LedgerTime, Sample } from './account-ledger.ts';
import { EMPTIED_VAULT } from './busy-actions.ts';
import { BUSY_SIMULATION } from './busy-simulation.ts';
import { formatDecimal50 } from './expect-near.ts';
import { cumulativeTokens } from './ledger-vault.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { VaultIndex } from './vault-index.ts';
import { earningPoints, holdersOf, totalGain } from './wallet-earnings.ts';

const HOUR = 3_600n;
const DAY = 86_400n;
const HOURS_PER_DAY = 24;
const SF = 2n ** 60n;

/**
 * Rounding per call of the vault program, in lamports: less than one for the conversion between tokens and shares, and
 * less than one for cTokens. The vault's counters do not treat a rounding loss as negative interest, but treat its
 * recovery as interest, so they differ from the actual inflow by this much.
 */
const ROUNDING_OF_CALL = 2n;

type ResponseObject = Readonly<Record<string, string>>;

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();
const size = (value: Decimal50): Decimal50 => (value < 0n ? -value : value);

export async function reconcileDailyEarnings(proof: Reconciliation): Promise<void> {
  const { vaults, ledger, end } = proof;
  const thisHour = end.unix - (end.unix % HOUR);
  const hours = [...ledger.lastBefore(HOUR)].filter(([hour]) => hour < thisHour);
  let [reported, unreported] = [0n, 0n];
  for (const { address: vault, name } of proof.metadata.vaults) {
    const all = await reportedAndComputed(proof, vault);
    for (let i = HOURS_PER_DAY; i < hours.length; i += HOURS_PER_DAY) {
      const [from, to] = [hours[i - HOURS_PER_DAY], hours[i]];
      if (from === undefined || to === undefined) throw new Error('no such hour');
      const [then, now] = [all(from), all(to)];
      const ofWallets = now.reported + now.unreported - then.reported - then.unreported;
      const ofVault = retainedBy(vaults, vault, to[1]) - retainedBy(vaults, vault, from[1]);
      const room = roomOf(vaults, vault, { after: from[1].slot, upTo: to[1] });
      const what = `${name} ${isoOf(to[0])}: ${formatDecimal50(ofWallets)} of ${formatDecimal50(ofVault)}`;
      expect(size(ofWallets - ofVault) <= room, what).toBe(true);
      reported += size(now.reported - then.reported);
      unreported += size(now.unreported - then.unreported);
    }
  }
  // over all vaults, reported earnings must be most of the total
  expect(reported).toBeGreaterThan(10n * unreported);
}

export async function reconcileEmptiedVault(proof: Reconciliation): Promise<void> {
  const { api, vaults, end } = proof;
  const vault = vaultAddress(createSeededKeys(BUSY_SIMULATION.seed), EMPTIED_VAULT);
  expect(vaults.at(vault, end).fields.sharesIssued).toBe(0n);
  const profits: Decimal50[] = [];
  for (const wallet of holdersOf(vaults, vault)) {
    const { body } = await api.get(`/kvaults/users/${wallet}/vaults/${vault}/pnl`);
    profits.push(parseDecimal50((body as { totalPnl: ResponseObject }).totalPnl['token'] ?? ''));
  }
  const metrics = (await api.get(`/kvaults/vaults/${vault}/metrics`)).body as ResponseObject;
  const figure = (name: string): Decimal50 => parseDecimal50(metrics[name] ?? '');
  const interest = figure('cumulativeInterestEarned');
  const fees = figure('cumulativePerformanceFees') + figure('cumulativeManagementFees');
  const room = roomOf(vaults, vault, { after: 0n, upTo: end });
  const what = `${formatDecimal50(sum(profits))} and ${formatDecimal50(fees)} of ${formatDecimal50(interest)}`;
  expect(size(sum(profits) + fees - interest) <= room, what).toBe(true);
  expect(profits.length).toBeGreaterThan(2);
  expect(interest).toBeGreaterThan(100n * room);
}

/** Earnings of all wallets up to the end of an hour, in whole tokens. */
type Together = { readonly reported: Decimal50; readonly unreported: Decimal50 };

/**
 * A wallet's history ends at the last hour with shares. Earnings after that are not reported.
 */
async function reportedAndComputed(
  { api, vaults, end }: Reconciliation,
  vault: Address,
): Promise<(hour: readonly [bigint, Sample]) => Together> {
  const responses = new Map<Address, ResponseObject[]>();
  for (const wallet of holdersOf(vaults, vault)) {
    const path = `/kvaults/users/${wallet}/vaults/${vault}/metrics/history`;
    const { body } = await api.get(`${path}?start=${isoOf(end.unix - 10n * DAY)}`);
    responses.set(wallet, body as ResponseObject[]);
  }
  const earnings = new Map(
    [...responses.keys()].map((wallet) => [wallet, earningPoints(vaults, { wallet, vault }, end)]),
  );
  return ([hour, sample]) => {
    const instant = isoOf(hour);
    const each = [...responses].map(([wallet, points]): Together => {
      const saver = { wallet, vault };
      const point = points.findLast(({ createdOn = '' }) => createdOn <= instant);
      const known = earnings.get(wallet)?.findLast(({ unix }) => unix <= hour);
      return {
        reported: parseDecimal50(point?.['cumulativeInterestEarned'] ?? '0'),
        unreported: totalGain(vaults, saver, sample) - (known?.earned.tokens ?? 0n),
      };
    });
    return {
      reported: sum(each.map(({ reported }) => reported)),
      unreported: sum(each.map(({ unreported }) => unreported)),
    };
  };
}

/**
 * From the vault's counters: interest minus fees, plus interest minus fees since its last call, in whole tokens. Interest
 * on pending fees in a vault without shares belongs to nobody.
 */
function retainedBy(vaults: VaultIndex, vault: Address, at: Sample): Decimal50 {
  const then = vaults.at(vault, at);
  const fees =
    cumulativeTokens(then, 'cumulativeMgmtFeesSf') + cumulativeTokens(then, 'cumulativePerfFeesSf');
  const { prevAumSf, tokenMintDecimals, sharesIssued } = then.fields;
  const previousAum = toDecimal50(prevAumSf, SF * 10n ** tokenMintDecimals);
  const uncounted = sharesIssued === 0n ? 0n : then.aum - then.accrued.newFees - previousAum;
  return cumulativeTokens(then, 'cumulativeEarnedInterestSf') - fees + uncounted;
}

type Calls = { readonly after: bigint; readonly upTo: LedgerTime };

/**
 * Tolerance after the calls in a period, in whole tokens. Withdrawal penalties go to the remaining holders; that of the
 * last holder goes to nobody.
 */
function roomOf(vaults: VaultIndex, vault: Address, { after, upTo }: Calls): Decimal50 {
  const calls = vaults.trades.filter(
    (trade) => trade.vault === vault && trade.slot > after && trade.slot <= upTo.slot,
  );
  const { fields } = vaults.at(vault, upTo);
  const [config] = vaults.ledger.all(globalConfig, upTo);
  const penalty = (config?.fields ?? fields).withdrawalPenaltyLamports;
  const lost = fields.sharesIssued === 0n ? penalty : 0n;
  const room = ROUNDING_OF_CALL * BigInt(calls.length + 1) + lost;
  return toDecimal50(room, 10n ** fields.tokenMintDecimals);
}
