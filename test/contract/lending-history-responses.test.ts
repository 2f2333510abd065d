import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { historyApis } from '../support/history/history-api.ts';
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
const when = { at: MORNING, slot: 373_000_000n };

const startPastApi = historyApis();

async function startWithPast() {
  const api = await startPastApi();
  const amounts = { ...when, available: 7_654_321n, borrowed: 1_234_567n };
  const market = { depositTvl: { numerator: 22n, denominator: 7n }, obligations: 3 };
  await api.writer.append({
    points: [
      goldenReservePoint({ reserve: SOL_RESERVE, ...amounts }),
      goldenReservePoint({ reserve: USDC_RESERVE, ...amounts }),
      {
        ...{ kind: 'market', resolution: 'minute', subject: GOLDEN_MARKET, ...market },
        ...{ at: toUnixSeconds(when.at), slot: toSlot(when.slot) },
        borrowTvl: { numerator: 0n, denominator: 1n },
      },
    ],
    obligationStates: [
      loanState({ ...when, deposits: [[SOL_RESERVE, 999n]], debts: [[USDC_RESERVE, 77n]] }),
    ],
  });
  return api;
}

const ofLoan = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}`;

test.each([
  ['ReserveHistory', `/svc-market/${GOLDEN_MARKET}/reserves/${USDC_RESERVE}/metrics/history`],
  ['MarketPoint', `/svc-market/${GOLDEN_MARKET}/metrics/history`],
  ['ObligationHistory', `${ofLoan}/metrics/history`],
  ['ObligationPnl', `${ofLoan}/pnl`],
])(
  'every %s that %s answers fits the contract’s own schema',
  { timeout: 60_000 },
  async (name, path) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(contract, 'contract');
    const fits = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
    const { get } = await startWithPast();
    const answers = [(await get(path)).body].flat();
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) {
      expect(fits(answer), JSON.stringify(fits.errors)).toBe(true);
      if ('history' in Object(answer)) expect(answer).toHaveProperty('history.0');
    }
  },
);
