import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { bytesFromHex, bytesFromText, bytesToHex } from '../../base/encoding/bytes.ts';
import { toSlot } from '../../base/time.ts';
import { TOKEN_METADATA_PROGRAM } from './programs.ts';
import {
  decodeProgram,
  decodeProgramDataHeader,
  encodeProgram,
  encodeProgramData,
  executableHash,
  executableOf,
  UPGRADEABLE_LOADER as owner,
  programDataAddress,
} from './upgradeable-loader.ts';

const PROGRAM_DATA = toAddress('PwDiXFxQsGra4sFFTT8r1QWRMd4vfumiWC1jfWNfdYT');
const AUTHORITY = toAddress('11111111111111111111111111111112');
// tag 3, slot 440486775 in little-endian order, an authority, and three bytes of code
const HEADER = `03000000774b411a00000000${'01'}${'00'.repeat(31)}01`;

test('the program data account of a program on mainnet is found', () => {
  expect(programDataAddress(TOKEN_METADATA_PROGRAM)).toBe(PROGRAM_DATA);
});

test('a program account names its program data account', () => {
  const data = encodeProgram(PROGRAM_DATA);
  expect(data).toHaveLength(36);
  expect(bytesToHex(data.subarray(0, 4))).toBe('02000000');
  expect(decodeProgram({ owner, data })).toBe(PROGRAM_DATA);
});

test('the header of program data has the slot of the deployment and the authority', () => {
  const data = bytesFromHex(`${HEADER}616263`);
  const header = { deploySlot: toSlot(440_486_775n), authority: AUTHORITY };
  expect(decodeProgramDataHeader({ owner, data })).toEqual(header);
  expect(decodeProgramDataHeader({ owner, data: data.subarray(0, 45) })).toEqual(header);
  expect(executableOf(data)).toEqual(bytesFromText('abc'));
  expect(encodeProgramData(header, bytesFromText('abc'))).toEqual(data);
});

test('a program that nobody can upgrade has no authority', () => {
  const data = encodeProgramData(
    { deploySlot: toSlot(7n), authority: undefined },
    bytesFromText('x'),
  );
  expect(bytesToHex(data.subarray(12, 45))).toBe('00'.repeat(33));
  expect(decodeProgramDataHeader({ owner, data }).authority).toBeUndefined();
});

test('the zeros after an executable do not count', () => {
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(executableHash(bytesFromText('abc'))).toBe(hash);
  expect(executableHash(bytesFromHex('6162630000000000'))).toBe(hash);
  expect(executableHash(bytesFromHex('6162630001'))).not.toBe(hash);
  const ofNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(executableHash(bytesFromHex('0000'))).toBe(ofNothing);
});

test.each([
  ['another owner', { owner: ZERO_ADDRESS, data: bytesFromHex(HEADER) }],
  ['a buffer', { owner, data: bytesFromHex(`01${HEADER.slice(2)}`) }],
  ['a closed account', { owner, data: new Uint8Array() }],
  ['a cut header', { owner, data: bytesFromHex(HEADER).subarray(0, 44) }],
])('%s is no program data', (_, account) => {
  expect(catchError(() => decodeProgramDataHeader(account))?.code).toBe('MALFORMED_DATA');
  expect(catchError(() => decodeProgram(account))?.code).toBe('MALFORMED_DATA');
});
