import {
  divRatioOrZero,
  quoteName,
  type Ratio,
  sumRatios,
  untrustedSymbol,
} from '@tidegate/core/base';
import { percent, percentRatio, short, shortRatio, toRatio } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import {
  AllocationsOfVault,
  ReserveRewardRows,
  SlotDurationRow,
  VaultAccount,
  VaultFigures,
} from '../../api/api-schemas.ts';
import { findReserve, type ReserveOfMarket } from '../../api/catalogue.ts';
import { type Inspection, notFound } from '../inspect/inspection.ts';
import { type ReserveAccount, readReserveAccount } from './read-reserve-account.ts';

/** The program counts two slots per second. */
const PROGRAM_SLOT_MS: Ratio = { numerator: 500n, denominator: 1n };

/** Value of `config.interestRateBasis`. */
const TRUE_APR = 1;

export async function explainApy(address: string, reading: ApiReading): Promise<Inspection> {
  const vault = await reading.find(VaultAccount, `/kvaults/vaults/${address}`);
  if (vault !== undefined) return await explainVaultApy(address, vault.state, reading);
  const found = await findReserve(reading, address);
  if (found === undefined) throw notFound('vault or reserve', address);
  return await explainReserveApy(found, reading);
}

type VaultState = { readonly name: string; readonly performanceFeeBps: number } & {
  readonly managementFeeBps: number;
};

async function explainVaultApy(
  address: string,
  { name, performanceFeeBps, managementFeeBps }: VaultState,
  reading: ApiReading,
): Promise<Inspection> {
  const [figures, { allocations, unallocated }] = await Promise.all([
    reading.get(VaultFigures, `/kvaults/vaults/${address}/metrics`),
    reading.get(AllocationsOfVault, `/kvaults/vaults/${address}/allocations`),
  ]);
  const { apyActual, apyFarmRewards, apyReservesIncentives, apyIncentives } = figures;
  const parts = [apyActual, apyFarmRewards, apyReservesIncentives, apyIncentives];
  const total = sumRatios(parts.map(toRatio));
  return {
    lines: [
      `Vault ${quoteName(name)}: ${percentRatio(total)} a year in all now = interest ${percent(apyActual)} + farm rewards ${percent(apyFarmRewards)} (staked shares only) + rewards of the reserves ${percent(apyReservesIncentives)} + season rewards ${percent(apyIncentives)}.`,
      `Interest is what the reserves pay on the allocated part, less ${performanceFeeBps / 100} % of the earnings and ${managementFeeBps / 100} % of the assets a year; ${short(unallocated.pct)} % of the tokens are idle and earn nothing.`,
      `If everything were allocated by target weight it would be ${percent(figures.apy)}.`,
      `A share really grew by ${percent(figures.apy7d)} (7 days) and ${percent(figures.apy30d)} (30 days), as yearly rates in tokens, without rewards.`,
      ...allocations.map(
        (each) =>
          `${short(each.actualPct)} % in reserve ${each.reserve} (${quoteName(each.marketName)}) at ${percent(each.supplyApy)} plus rewards ${percent(each.rewardsApy)}.`,
      ),
      'Rates change with the utilization of the reserves; rewards end when their farm or season ends.',
    ],
    data: {
      vault: address,
      total: shortRatio(total),
      apyActual: short(apyActual),
      apyFarmRewards: short(apyFarmRewards),
      apyReservesIncentives: short(apyReservesIncentives),
      apyIncentives: short(apyIncentives),
      apy: short(figures.apy),
      apy7d: short(figures.apy7d),
      apy30d: short(figures.apy30d),
      idlePct: short(unallocated.pct),
    },
  };
}

async function explainReserveApy(
  { market, reserve }: ReserveOfMarket,
  reading: ApiReading,
): Promise<Inspection> {
  const [account, rewards, { recentSlotDurationInMs }] = await Promise.all([
    readReserveAccount(reading, { market: market.lendingMarket, reserve: reserve.reserve }),
    reading.get(ReserveRewardRows, `/svc-market/${market.lendingMarket}/reserves/rewards`),
    reading.get(SlotDurationRow, '/slots/duration'),
  ]);
  const { config } = account;
  const utilization = divRatioOrZero(toRatio(reserve.totalBorrow), toRatio(reserve.totalSupply));
  const own = rewards.find((each) => each.reserve === reserve.reserve);
  const symbol = untrustedSymbol(reserve.liquidityToken);
  return {
    lines: [
      `Reserve ${symbol}: borrowing costs ${percent(reserve.borrowApy)} a year, lending pays ${percent(reserve.supplyApy)}.`,
      `Utilization = borrowed / supplied = ${short(reserve.totalBorrow)} / ${short(reserve.totalSupply)} = ${percentRatio(utilization)}.`,
      `The borrow rate is the one of the curve at this utilization: ${curveText(account)}${config.hostFixedInterestRateBps === 0 ? '' : `, plus a fixed ${config.hostFixedInterestRateBps / 100} %`}.`,
      `Lenders get utilization times the rate of the curve, less the ${config.protocolTakeRatePct} % that the protocol takes.`,
      basisText(account, recentSlotDurationInMs),
      own === undefined
        ? 'The reserve pays no rewards of its own. Rewards of farms and seasons are not part of these rates.'
        : `Rewards that the reserve pays itself come on top: ${percent(own.rewardsApy)}.`,
    ],
    data: {
      reserve: reserve.reserve,
      market: market.lendingMarket,
      untrustedSymbol: symbol,
      utilization: shortRatio(utilization),
      supplyApy: short(reserve.supplyApy),
      borrowApy: short(reserve.borrowApy),
      protocolTakeRatePct: config.protocolTakeRatePct,
      hostFixedInterestRateBps: config.hostFixedInterestRateBps,
      curve: curvePoints(account).map(([at, rate]) => `${at} % used: ${rate} %`),
      rewardsApy: own === undefined ? '0' : short(own.rewardsApy),
    },
  };
}

/** How the rate of the curve becomes a rate per year. */
function basisText({ config }: ReserveAccount, slotMs: string | number): string {
  if (config.interestRateBasis === TRUE_APR) {
    return "Interest is charged per second of the chain's clock, so the rate of the curve is the yearly rate, compounded.";
  }
  const factor = divRatioOrZero(PROGRAM_SLOT_MS, toRatio(slotMs));
  return `Interest is charged per slot. The program counts two slots per second; slots take ${short(slotMs)} ms now, so yearly rates are ${shortRatio(factor)} times those of the curve, compounded per slot.`;
}

const curveText = (account: ReserveAccount): string =>
  curvePoints(account)
    .map(([at, rate]) => `${rate} % at ${at} %`)
    .join(', ');

/** Utilization and rate of each point, in percent. The last one is repeated in the account. */
function curvePoints({ config }: ReserveAccount): (readonly [number, number])[] {
  const points = [...config.borrowRateCurve.points].map(
    ({ utilizationRateBps, borrowRateBps }) =>
      [utilizationRateBps / 100, borrowRateBps / 100] as const,
  );
  return points.filter(([at], index) => index === 0 || at !== points[index - 1]?.[0]);
}
