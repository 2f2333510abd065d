import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { addressLookupTable } from '#core/protocol/spl/layout/address-lookup-table.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { decodeStakePool } from '#core/protocol/spl/stake-pool.ts';
import {
  decodeWireTransaction,
  encodeWireTransaction,
} from '#core/protocol/spl/transaction/wire.ts';
import { parseWireTransaction } from '#core/views/transactions/messages/wire-transaction.ts';
import { parseAccountJson, parseNamedAccountJson } from '#server/chain/rpc/parse-account.ts';
import { decodeTarHeader, encodeTarHeader } from '#server/cli/snapshot/tar-header.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FUZZ_SEED_NUMBER } from '../../support/fuzz/fuzz-settings.ts';
import { mutateBytes } from '../../support/fuzz/mutate-bytes.ts';
import { goldenFlows } from '../../support/golden/golden.ts';
import { mainnetAccounts } from '../../support/mainnet/mainnet-fixtures.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';

const SEED = `FUZZ_SEED=${FUZZ_SEED_NUMBER}`;

/** Calls `run` with mutated copies of the inputs. Fails if it was never accepted, or never rejected, by `run`. */
function fuzz<Input>(
  { runs, inputs }: { readonly runs: number; readonly inputs: readonly Input[] },
  bytesOf: (input: Input) => Uint8Array,
  run: (bytes: Buffer, input: Input) => boolean,
): void {
  const random = seededRandom(FUZZ_SEED_NUMBER);
  const outcomes = new Set<boolean>();
  for (let count = 0; count < runs; count++) {
    const input = inputs[random(inputs.length)];
    if (input === undefined) throw new Error('no input');
    const text = Buffer.from(bytesOf(input)).toString('latin1');
    outcomes.add(run(mutateBytes(text, random), input));
  }
  expect(outcomes).toEqual(new Set([true, false]));
}

const wires = goldenFlows()
  .flatMap(({ transactions }) => transactions)
  .map(({ wire }) => Buffer.from(wire, 'base64'));

test(`2,000 mutated transactions are rejected, or mean exactly their bytes, ${SEED}`, () => {
  fuzz(
    { runs: 2_000, inputs: wires },
    (wire) => wire,
    (bytes) => {
      const error = catchError(() => decodeWireTransaction(bytes));
      expect([undefined, 'MALFORMED_DATA']).toContain(error?.code);
      const pasted = catchError(() => parseWireTransaction(bytes.toString('base64')));
      expect(pasted === undefined).toBe(error === undefined);
      if (error !== undefined) return false;
      expect(bytesEqual(encodeWireTransaction(decodeWireTransaction(bytes)), bytes)).toBe(true);
      return true;
    },
  );
});

const layouts = [mint, tokenAccount, addressLookupTable];
const splAccounts = mainnetAccounts().filter((account) =>
  layouts.some((layout) => layout.matches(account)),
);

test(`3,000 mutated mints, token accounts and lookup tables are rejected or read, ${SEED}`, () => {
  expect(new Set(splAccounts.map(({ kind }) => kind)).size).toBeGreaterThan(2);
  fuzz(
    { runs: 3_000, inputs: splAccounts },
    ({ data }) => data,
    (data, { owner }) => {
      let isRead = false;
      for (const layout of layouts) {
        const raw: RawAccount = { owner, data: Uint8Array.from(data) };
        const code = catchError(() => layout.decode(raw))?.code;
        expect(code === undefined || /^(ACCOUNT_WRONG_\w+|MALFORMED_DATA)$/.test(code)).toBe(true);
        if (code === undefined) expect(layout.matches(raw)).toBe(true);
        isRead ||= code === undefined;
      }
      return isRead;
    },
  );
});

test(`2,000 mutated stake pools are rejected or read, ${SEED}`, () => {
  const data = new Uint8Array(611);
  data[0] = 1;
  const pools = [{ owner: toAddress('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'), data }];
  expect(
    catchError(() => decodeStakePool(pools[0] ?? { owner: ZERO_ADDRESS, data })),
  ).toBeUndefined();
  fuzz(
    { runs: 2_000, inputs: pools },
    ({ data }) => data,
    (bytes, { owner }) => {
      const data = Uint8Array.from(bytes);
      const code = catchError(() => decodeStakePool({ owner, data }))?.code;
      expect(code === undefined || /^(ACCOUNT_WRONG_\w+|MALFORMED_DATA)$/.test(code)).toBe(true);
      return code === undefined;
    },
  );
});

const owner = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
/** 300 bytes, compressed by zstd 1.5.4. */
const compressed = Buffer.from(
  'KLUv/QBYxQEA1AIABw4VHCMqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRAAECAwQCAIwykXQoUAY=',
  'base64',
);
const accountOf = (data: readonly string[], space?: number): object => ({
  data,
  executable: false,
  lamports: 5,
  owner,
  rentEpoch: 0,
  ...(space !== undefined && { space }),
});

test(`3,000 mutated accounts of an endpoint are rejected or read, ${SEED}`, () => {
  const account = accountOf(['AQIDBAUG', 'base64'], 6);
  const texts = [account, { pubkey: owner, account }].map((value) => JSON.stringify(value));
  const isReason = (code: string) => /^(MALFORMED_DATA|INVALID_ADDRESS)$/.test(code);
  fuzz(
    { runs: 3_000, inputs: texts },
    (text) => Buffer.from(text),
    (bytes) => {
      const codes = [parseAccountJson, parseNamedAccountJson].map(
        (parse) => catchError(() => parse(bytes.toString('latin1')))?.code,
      );
      expect(codes.every((code) => code === undefined || isReason(code))).toBe(true);
      return codes.includes(undefined);
    },
  );
});

test(`3,000 mutated zstd frames of an endpoint are rejected or decompressed, ${SEED}`, () => {
  fuzz(
    { runs: 3_000, inputs: [{ space: 300 }, {}] },
    () => compressed,
    (bytes, { space }: { readonly space?: number }) => {
      const data = [bytes.toString('base64'), 'base64+zstd'];
      const text = JSON.stringify(accountOf(data, space));
      const error = catchError(() => parseAccountJson(text));
      expect([undefined, 'MALFORMED_DATA']).toContain(error?.code);
      if (error !== undefined) return false;
      const size = parseAccountJson(text)?.data.length ?? 0;
      expect(size).toBeLessThanOrEqual(10 * 1024 * 1024);
      if (space !== undefined) expect(size).toBe(space);
      return true;
    },
  );
});

test(`2,000 mutated tar headers of a snapshot are rejected or read, ${SEED}`, () => {
  const header = encodeTarHeader({ path: 'history', kind: 'folder', size: 0, modifiedAt: 7 });
  fuzz(
    { runs: 2_000, inputs: [header] },
    (bytes) => bytes,
    (bytes) => {
      const block = Buffer.alloc(512);
      bytes.copy(block);
      const error = catchError(() => decodeTarHeader(block));
      expect([undefined, 'MALFORMED_DATA']).toContain(error?.code);
      return error === undefined;
    },
  );
});
