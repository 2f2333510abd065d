import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { readConfigs } from '#server/history/ids/config-ids.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readStates } from '#server/history/queries/position-states.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { readWholeSeries } from '../../support/history/history-reads.ts';
import {
  MIDNIGHT,
  pricePoint,
  ratioOfThree,
  reservePoint,
  U64_MAX,
  U128_MAX,
  U256_MAX,
  uniqueAddress,
  vaultPoint,
} from '../../support/history/history-rows.ts';

onEachEngine('append', (engine) => {
  test('the largest values of a reserve are stored exactly', async () => {
    const history = await engine.shared();
    const subject = uniqueAddress();
    const largest = {
      available: U64_MAX,
      borrowedSf: U128_MAX,
      protocolFeesSf: U128_MAX - 1n,
      referrerFeesSf: U128_MAX - 2n,
      pendingReferrerFeesSf: U128_MAX - 3n,
      collateralSupply: U64_MAX - 1n,
      cumulativeBorrowRate: U256_MAX,
      priceSf: U128_MAX - 4n,
      oraclePriceSf: null,
    };
    const time = { subject, at: MIDNIGHT + 61n, slot: 2n ** 62n };
    await new HistoryWriter(history.db).append({ points: [reservePoint(time, largest)] });
    const rows = await readWholeSeries(history, { kind: 'reserve', resolution: 'minute', subject });
    expect(rows).toEqual([
      {
        ...largest,
        subject,
        bucket: MIDNIGHT + 60n,
        at: MIDNIGHT + 61n,
        slot: 2n ** 62n,
        config: expect.any(Number),
        priceAt: MIDNIGHT + 60n,
        depositLimitCrossedAt: 14n,
        borrowLimitCrossedAt: 15n,
      },
    ]);
  });

  test('a vault is stored exactly, with negative values, arrays, and fractions to 36 decimals', async () => {
    const history = await engine.shared();
    const [subject, other] = [uniqueAddress(), uniqueAddress()];
    const [first, second] = [uniqueAddress(), uniqueAddress()];
    const changes = {
      aumSf: U128_MAX,
      holders: 2 ** 31 - 1,
      reserves: [first, second, first],
      investedSf: [U128_MAX, 0n, 1n],
    };
    const when = { at: MIDNIGHT, slot: 1n };
    const actualApr = { numerator: -1n, denominator: 3n };
    const interestUsd = { numerator: U256_MAX, denominator: 1n };
    const none = { reserves: [], investedSf: [] };
    await new HistoryWriter(history.db).append({
      points: [
        vaultPoint({ subject, ...when }, { ...changes, actualApr, interestUsd }),
        vaultPoint({ subject: other, ...when }, none),
      ],
    });
    const query = { kind: 'vault', resolution: 'day' } as const;
    const unit = 10n ** 36n;
    expect(await readWholeSeries(history, { ...query, subject })).toMatchObject([
      {
        ...changes,
        actualApr: { numerator: -BigInt('3'.repeat(36)), denominator: unit },
        interestUsd: { numerator: U256_MAX * unit, denominator: unit },
      },
    ]);
    expect(await readWholeSeries(history, { ...query, subject: other })).toMatchObject([none]);
  });

  test('a reward is identified by subject and mint', async () => {
    const history = await engine.shared();
    const [subject, first, second] = [uniqueAddress(), uniqueAddress(), uniqueAddress()];
    const reward = (mint: Address, issued: bigint) =>
      ({
        kind: 'reward',
        resolution: 'hour',
        subject,
        mint,
        at: toUnixSeconds(MIDNIGHT),
        slot: toSlot(1n),
        rate: ratioOfThree(1n),
        issued,
        priceSf: null,
        positionsUsd: ratioOfThree(6n),
        apr: ratioOfThree(3n),
      }) as const;
    await new HistoryWriter(history.db).append({
      points: [reward(first, 1n), reward(second, U128_MAX)],
    });
    const query = { kind: 'reward', resolution: 'day', subject } as const;
    expect(await readWholeSeries(history, { ...query, mint: first })).toMatchObject([
      { issued: 1n },
    ]);
    expect(await readWholeSeries(history, { ...query, mint: second })).toMatchObject([
      { issued: U128_MAX, priceSf: null, mint: second },
    ]);
  });

  test('a later snapshot replaces a bucket and an earlier one does not', async () => {
    const history = await engine.shared();
    const subject = uniqueAddress();
    const writer = new HistoryWriter(history.db);
    const lastPrice = async (slot: bigint, priceSf: bigint) => {
      const when = { subject, at: MIDNIGHT + slot, slot };
      await writer.append({ points: [pricePoint(when, { priceSf })] });
      const rows = await readWholeSeries(history, { kind: 'price', resolution: 'minute', subject });
      expect(rows).toHaveLength(1);
      return rows[0]?.priceSf;
    };
    expect(await lastPrice(10n, 100n)).toBe(100n);
    expect(await lastPrice(9n, 90n)).toBe(100n);
    expect(await lastPrice(10n, 999n)).toBe(100n);
    expect(await lastPrice(11n, 110n)).toBe(110n);
  });

  test('each version of a configuration is stored once', async () => {
    const history = await engine.shared();
    const [subject, other] = [uniqueAddress(), uniqueAddress()];
    const [a, b] = [Uint8Array.of(1, 1, 1), Uint8Array.of(2, 2, 2)];
    const point = (reserve: Address, slot: bigint, config: Uint8Array) =>
      reservePoint({ subject: reserve, at: MIDNIGHT + slot * 60n, slot }, { config });
    const points = [point(subject, 1n, a), point(subject, 2n, b), point(subject, 3n, a)];
    await new HistoryWriter(history.db).append({ points });
    await new HistoryWriter(history.db).append({ points: [...points, point(other, 1n, a)] });
    const rows = await readWholeSeries(history, { kind: 'reserve', resolution: 'minute', subject });
    const [first, second, third] = rows.map(({ config }) => config);
    expect(first).toBe(third);
    expect(first).not.toBe(second);
    const others = await readWholeSeries(history, {
      kind: 'reserve',
      resolution: 'minute',
      subject: other,
    });
    const configOfOther = others[0]?.config;
    expect(configOfOther).not.toBe(first);
    const ids = [first, second, configOfOther].map(Number);
    const stored = await readConfigs(history.db, 'reserve_config', ids);
    expect(ids.map((id) => [...(stored.get(id) ?? [])])).toEqual([[...a], [...b], [...a]]);
  });

  test('the largest values of markets, stake rates, holdings and stakes are stored exactly', async () => {
    const history = await engine.shared();
    const [subject, wallet] = [uniqueAddress(), uniqueAddress()];
    const when = {
      subject,
      at: toUnixSeconds(MIDNIGHT),
      slot: toSlot(5n),
      resolution: 'hour',
    } as const;
    const tvl = (numerator: bigint) => ({ numerator, denominator: 10n ** 36n });
    const market = { depositTvl: tvl(U256_MAX), borrowTvl: tvl(1n), obligations: 2 ** 31 - 1 };
    const rate = { lamports: U64_MAX, tokens: U64_MAX - 1n };
    const after = { slot: toSlot(5n), at: toUnixSeconds(MIDNIGHT), wallet };
    const holding = { ...after, vault: subject, held: U64_MAX, staked: U64_MAX - 1n };
    const stake = { ...after, userState: subject, farm: uniqueAddress(), stake: U128_MAX };
    await new HistoryWriter(history.db).append({
      points: [
        { kind: 'market', ...when, ...market },
        { kind: 'stakeRate', ...when, ...rate },
      ],
      vaultHoldings: [holding],
      farmStakes: [stake],
    });
    const reader = createHistoryReader(history.db);
    const day = { resolution: 'day', subject } as const;
    expect(await readWholeSeries(history, { kind: 'market', ...day })).toMatchObject([market]);
    expect(await readWholeSeries(history, { kind: 'stakeRate', ...day })).toMatchObject([rate]);
    const range = { from: after.at, to: toUnixSeconds(after.at + 1n) };
    const held = { table: 'vaultHolding', subject: { wallet, vault: subject } } as const;
    expect(await readStates(reader, held, range)).toEqual([holding]);
    const staked = { table: 'farmStake', subject: { userState: subject } } as const;
    expect(await readStates(reader, staked, range)).toEqual([stake]);
  });
});
