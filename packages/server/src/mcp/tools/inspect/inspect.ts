import { parseAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { type ApiReading, startReading } from '../../api/api-reading.ts';
import { LoanRow, VaultAccount } from '../../api/api-schemas.ts';
import { findReserve, listMarketRows } from '../../api/catalogue.ts';
import { defineTool } from '../../tool.ts';
import { inspectLoan } from './inspect-loan.ts';
import { inspectMarket, inspectReserve } from './inspect-market.ts';
import { inspectTransaction } from './inspect-transaction.ts';
import { inspectVault } from './inspect-vault.ts';
import { inspectWallet } from './inspect-wallet.ts';
import type { Inspection } from './inspection.ts';

const KINDS = ['wallet', 'loan', 'vault', 'reserve', 'market', 'transaction'] as const;
type Kind = (typeof KINDS)[number];

const Input = Type.Object(
  {
    subject: Type.String({
      minLength: 32,
      maxLength: 88,
      pattern: '^[1-9A-HJ-NP-Za-km-z]{32,88}$',
      description:
        'Address of a wallet, loan, vault, reserve or market, or a transaction signature',
    }),
    kind: Type.Optional(
      Type.Unsafe<Kind>({
        type: 'string',
        enum: [...KINDS],
        description: 'What the subject is. Omit it if you do not know',
      }),
    ),
  },
  { additionalProperties: false },
);

export const inspectTool = defineTool({
  name: 'inspect',
  title: 'Show a wallet, loan, vault, reserve, market or transaction',
  description:
    'Shows the current state of one thing: what a wallet holds in loans and vaults, the deposits, debts and health of a loan, the figures of a vault, reserve or market, or what a transaction did (by its signature). Any address that is nothing else is treated as a wallet.',
  input: Input,
  run: async ({ subject, kind }, { api }) => {
    const reading = startReading(api);
    const known = kind ?? (await kindOf(subject, reading));
    const inspection = await inspectors[known](subject, reading);
    return { ...inspection, freshness: reading.freshness(), notes: reading.notes() };
  },
});

const inspectors: {
  readonly [K in Kind]: (subject: string, reading: ApiReading) => Promise<Inspection>;
} = {
  wallet: inspectWallet,
  loan: inspectLoan,
  vault: inspectVault,
  reserve: inspectReserve,
  market: inspectMarket,
  transaction: inspectTransaction,
};

async function kindOf(subject: string, reading: ApiReading): Promise<Kind> {
  // signatures have 64 bytes, addresses 32
  if (parseAddress(subject) === undefined) return 'transaction';
  const markets = await listMarketRows(reading);
  if (markets.some(({ lendingMarket }) => lendingMarket === subject)) return 'market';
  const [vault, loan, reserve] = await Promise.all([
    reading.find(VaultAccount, `/kvaults/vaults/${subject}`),
    reading.find(LoanRow, `/klend/loans/${subject}`),
    findReserve(reading, subject),
  ]);
  if (vault !== undefined) return 'vault';
  if (loan !== undefined) return 'loan';
  return reserve === undefined ? 'wallet' : 'reserve';
}
