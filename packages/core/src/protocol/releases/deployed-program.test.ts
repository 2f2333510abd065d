import { expect, test } from 'vitest';
import { toAddress } from '../../base/encoding/address.ts';
import { bytesFromText } from '../../base/encoding/bytes.ts';
import { toSlot } from '../../base/time.ts';
import { KLEND_PROGRAM } from '../klend/program.ts';
import { encodeProgramData, UPGRADEABLE_LOADER } from '../spl/upgradeable-loader.ts';
import {
  firstSlotAfter,
  identifyRelease,
  modelExecutable,
  readDeployedProgram,
} from './deployed-program.ts';
import type { ProgramName } from './program-rules.ts';

const KLEND_1_25 = '9db16dd4b7bbfe4f13df850bf880bfc4522fcece06717c0626d625746a3cc85b';
const ANOTHER = '00'.repeat(32);

const MAINNET = 'mainnet-beta';

const identified = (
  program: ProgramName,
  slot: bigint,
  other: { hash?: string; cluster?: string } = {},
) =>
  identifyRelease(
    program,
    { deploySlot: toSlot(slot), hash: other.hash ?? ANOTHER },
    other.cluster ?? MAINNET,
  );

test.each([[MAINNET], ['devnet']])('a known hash names the release on %s', (cluster) => {
  const known = { version: '1.25', by: 'hash' };
  expect(identified('klend', 500_000_000n, { hash: KLEND_1_25, cluster })).toEqual(known);
});

test('a deployment of mainnet is known by its slot, and one after the newest is not', () => {
  const by = 'deploySlot';
  expect(identified('kvault', 452_240_450n)).toEqual({ version: '2.3.0', by });
  expect(identified('kvault', 452_240_451n)).toBeUndefined();
  expect(identified('kvault', 452_240_449n)).toEqual({ version: '2.2.2', by });
  expect(identified('farms', 379_693_642n)).toEqual({ version: '1.6.5', by });
  expect(identified('farms', 460_000_000n)).toBeUndefined();
  expect(identified('scope', 1n)).toBeUndefined();
  expect(identified('kvault', 452_240_450n, { cluster: 'devnet' })).toBeUndefined();
});

test('an executable that has not the hash of its slot is not that release', () => {
  expect(identified('klend', 440_486_775n)).toBeUndefined();
  expect(identified('klend', 440_486_774n)?.version).toBe('1.24');
});

test('a program data account is read as a whole', () => {
  const header = { deploySlot: toSlot(9n), authority: toAddress(KLEND_PROGRAM) };
  const data = encodeProgramData(header, modelExecutable('klend', '1.24'));
  const of = { program: 'klend', address: KLEND_PROGRAM } as const;
  expect(readDeployedProgram(of, { owner: UPGRADEABLE_LOADER, data }, 'localnet')).toEqual({
    ...of,
    ...header,
    size: bytesFromText("Tidegate's model of klend 1.24\n").length,
    // sha256sum of that text
    hash: '8aee434f1c3337b19ad4d1332fa194898faedfcd546fe8f136fda35e11066733',
    release: { version: '1.24', by: 'model' },
  });
});

test('a program executes from the slot after its deployment', () => {
  expect(firstSlotAfter(toSlot(500n))).toBe(501n);
  expect(firstSlotAfter(toSlot(0n))).toBe(0n);
});
