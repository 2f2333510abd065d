import { describe, expect, test } from 'vitest';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { klend } from '#core/protocol/index.ts';
import { NO_ACCRUAL_TERMS } from '#core/protocol/klend/math/accrual/accrual.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { viewReservePoint } from '#core/views/series/reserve-history.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { fromReservePoint } from '#server/history/rows/reserve-points.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { firstSample } from '../../support/history/first-sample.ts';
import {
  decodedSimulation,
  SIMULATION_END,
  simulateDays,
} from '../../support/localnet/simulated-genesis.ts';

const sampleTime = { resolution: 'minute', at: SIMULATION_END } as const;
const { cluster } = simulateDays('points', 2);
const state = clusterStateOf(cluster, silentLog);
const points = firstSample(state, sampleTime);
const { reserves, markets, obligations } = decodedSimulation('points');
const context = {
  time: SIMULATION_END,
  rules: NEWEST_LENDING_RULES,
  ...NO_ACCRUAL_TERMS,
  slotMs: { numerator: 400n, denominator: 1n },
};

type PointKind = (typeof points)[number]['kind'];
const ofKind = <Kind extends PointKind>(kind: Kind) =>
  points.filter((point): point is Extract<typeof point, { kind: Kind }> => point.kind === kind);

/** USD value, calculated independently. */
function dollars(address: Address, lamports: (reserve: klend.accounts.Reserve) => bigint): number {
  const reserve = reserves.get(address);
  const { oraclePriceSf } = ofKind('reserve').find(({ subject }) => subject === address) ?? {};
  if (reserve === undefined || oraclePriceSf == null) return 0;
  const price = Number(oraclePriceSf) / 2 ** 60;
  return (Number(lamports(reserve)) / 10 ** Number(reserve.liquidity.mintDecimals)) * price;
}

const expectNear = (actual: number, expected: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(expected / 1_000);

describe('a sample of the embedded cluster', () => {
  test('contains every reserve, market and priced token once', () => {
    expect(new Set(ofKind('reserve').map(({ subject }) => subject))).toEqual(
      new Set(reserves.keys()),
    );
    expect(ofKind('reserve')).toHaveLength(reserves.size);
    expect(
      ofKind('market')
        .map(({ subject }) => subject)
        .toSorted(),
    ).toEqual([...markets.keys()].toSorted());
    const mints = new Set([...reserves.values()].map(({ liquidity }) => liquidity.mintPubkey));
    expect(new Set(ofKind('price').map(({ subject }) => subject))).toEqual(mints);
    expect(
      points.every(({ at, slot }) => at === SIMULATION_END.unix && slot === SIMULATION_END.slot),
    ).toBe(true);
  });

  test('a restored reserve has the same figures as the sampled one', () => {
    for (const { config, resolution, ...row } of ofKind('reserve')) {
      const before = reserves.get(row.subject);
      if (before === undefined || row.oraclePriceSf === null) throw new Error('no reserve');
      const rebuilt = fromReservePoint({ ...row, config: 1 }, config);
      const actual = viewReservePoint(rebuilt, context);
      const expected = viewReservePoint({ ...rebuilt, fields: before }, context);
      expect(actual).toEqual(expected);
      expect(rebuilt.fields.config.borrowRateCurve).toEqual(before.config.borrowRateCurve);
    }
  });

  test('a market has the totals of its reserves and the number of loans with a position', () => {
    for (const { subject, depositTvl, borrowTvl, obligations: counted } of ofKind('market')) {
      const own = [...reserves].filter(([, { lendingMarket }]) => lendingMarket === subject);
      const supplied = own.map(([address]) =>
        dollars(address, ({ liquidity }) => klend.math.totalSupply(liquidity) >> 60n),
      );
      const borrowed = own.map(([address]) =>
        dollars(address, ({ liquidity }) => liquidity.borrowedAmountSf >> 60n),
      );
      const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);
      // the point includes interest since the last refresh, hours ago
      expectNear(asNumber(depositTvl), sum(supplied));
      expectNear(asNumber(borrowTvl), sum(borrowed));
      const used = [...obligations.values()].filter(
        ({ lendingMarket, deposits, borrows }) =>
          lendingMarket === subject &&
          (deposits.some(({ depositReserve }) => depositReserve !== ZERO_ADDRESS) ||
            borrows.some(({ borrowReserve }) => borrowReserve !== ZERO_ADDRESS)),
      );
      expect(counted).toBe(used.length);
    }
  });
});

test('configuration bytes do not change with amounts', () => {
  const configs = (days: number) => {
    const simulated = simulateDays('settings', days);
    const sampled = firstSample(clusterStateOf(simulated.cluster, silentLog), sampleTime);
    return new Map(
      sampled.flatMap((each) =>
        each.kind === 'reserve' ? [[each.subject, each.config] as const] : [],
      ),
    );
  };
  const [short, long] = [configs(1), configs(2)];
  const changed = [...short].filter(
    ([address, config]) => !Buffer.from(config).equals(long.get(address) ?? config),
  );
  // the simulation adjusts limits of two reserves at its end
  expect(changed.length).toBeLessThanOrEqual(2);
});

const asNumber = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
  Number((numerator << 60n) / denominator) / 2 ** 60;
