import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { startHistoryApi } from '../support/history/history-api.ts';
import { LOAN, loanState } from '../support/history/loan-history-rows.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../support/history/reserve-history-rows.ts';

const contract = JSON.parse(
  readFileSync(new URL('core.openapi.json', import.meta.url), 'utf8'),
) as object;

const MORNING = BigInt(Date.UTC(2025, 9, 15, 8) / 1000);
const sampledAt = { at: MORNING, slot: 373_000_000n };

async function startWithHistory() {
  const api = await startHistoryApi();
  const amounts = { ...sampledAt, available: 7_654_321n, borrowed: 1_234_567n };
  const market = { depositTvl: { numerator: 22n, denominator: 7n }, obligations: 3 };
  await api.writer.append({
    points: [
      goldenReservePoint({ reserve: SOL_RESERVE, ...amounts }),
      goldenReservePoint({ reserve: USDC_RESERVE, ...amounts }),
      {
        kind: 'market',
        resolution: 'minute',
        subject: GOLDEN_MARKET,
        ...market,
        at: toUnixSeconds(sampledAt.at),
        slot: toSlot(sampledAt.slot),
        borrowTvl: { numerator: 0n, denominator: 1n },
      },
    ],
    obligationStates: [
      loanState({ ...sampledAt, deposits: [[SOL_RESERVE, 999n]], debts: [[USDC_RESERVE, 77n]] }),
    ],
  });
  return api;
}

const loanPath = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}`;

test.each([
  ['ReserveHistory', `/svc-market/${GOLDEN_MARKET}/reserves/${USDC_RESERVE}/metrics/history`],
  ['MarketPoint', `/svc-market/${GOLDEN_MARKET}/metrics/history`],
  ['ObligationHistory', `${loanPath}/metrics/history`],
  ['ObligationPnl', `${loanPath}/pnl`],
])('every %s of %s matches the contract', async (name, path) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract');
  const validate = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  const { get } = await startWithHistory();
  const items = [(await get(path)).body].flat();
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) {
    expect(validate(item), JSON.stringify(validate.errors)).toBe(true);
    if ('history' in Object(item)) expect(item).toHaveProperty('history.0');
  }
});
