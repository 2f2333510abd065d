import { expect, test } from 'vitest';
import { flowFinder } from '../../../../test/support/flows/guard-flows.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { ZERO_ADDRESS } from '../base/encoding/address.ts';
import { toLamports } from '../base/numbers/lamports.ts';
import { mint as mintLayout } from '../protocol/spl/layout/mint.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../protocol/spl/programs.ts';
import { scaledAmountNotes } from './scaled-amount-notes.ts';

const MINT = numberedAddress(900);
const { context } = flowFinder()('09');
const NOW = context.state.at().unix;

function bitsOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

const scaledMint = (multiplier: number, newMultiplier: number, from: bigint) =>
  mintLayout.encode({
    mintAuthorityTag: 0,
    mintAuthority: ZERO_ADDRESS,
    supply: toLamports(0n),
    decimals: 8,
    isInitialized: 1,
    freezeAuthorityTag: 0,
    freezeAuthority: ZERO_ADDRESS,
    extensions: {
      entries: [
        {
          kind: 'scaledUiAmountConfig',
          value: {
            authority: ZERO_ADDRESS,
            multiplier: bitsOf(multiplier),
            newMultiplier: bitsOf(newMultiplier),
            newMultiplierEffectiveTimestamp: from,
          },
        },
      ],
      rest: new Uint8Array(),
    },
  });

const move = { mint: MINT, decimals: 8, amount: 1n, certainty: 'exactly' } as const;

function notesOf(data: Uint8Array, owner = TOKEN_2022_PROGRAM) {
  const accounts = new Map([[MINT, { owner, data, lamports: 1n }]]);
  const described = { pays: [move], receives: [move] };
  return scaledAmountNotes(described, { ...context, accounts, symbolOf: () => 'AAPLx' });
}

test('a multiplied token is noted once, with its factor', () => {
  expect(notesOf(scaledMint(1, 1.25, NOW))).toEqual([
    'Wallets show AAPLx times 1.25; the amounts here are not multiplied.',
  ]);
});

test('an announced factor is noted with its time', () => {
  expect(notesOf(scaledMint(1, 10, 1_893_456_000n))).toEqual([
    'Wallets show AAPLx times 1, and times 10 from 2030-01-01T00:00:00.000Z; the amounts here are not multiplied.',
  ]);
});

test('other tokens have no note', () => {
  expect(notesOf(scaledMint(1, 1, NOW))).toEqual([]);
  expect(notesOf(scaledMint(2, 2, NOW).subarray(0, 82), TOKEN_PROGRAM)).toEqual([]);
  expect(scaledAmountNotes({ pays: [move], receives: [] }, context)).toEqual([]);
});
