import { CodedError } from '../errors.ts';
import { type Lamports, toLamports } from './lamports.ts';

/** One, in the decimals of the farms and oracle programs: the value times 10^18, 192 bits wide in farms. */
export const WAD = 10n ** 18n;

/** An integer that the program keeps in `bits` bits, never negative; it stops at what does not fit. */
export function checkBits(value: bigint, bits: number, what: string): bigint {
  if (value >> BigInt(bits) !== 0n) throw new CodedError('MATH_OVERFLOW', { what, bits });
  return value;
}

/** Rounded down. */
export const mulWad = (a: bigint, b: bigint): bigint => checkBits(a * b, 192, 'decimal') / WAD;

/** Rounded down. */
export function divWad(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CodedError('DIVISION_BY_ZERO', { what: 'decimal' });
  return checkBits(a * WAD, 192, 'decimal') / b;
}

/** Decimals are stored in 128 bits. */
export const checkStoredWad = (a: bigint): bigint => checkBits(a, 128, 'stored decimal');

/** The whole part, which must be an amount of tokens. */
export const floorWad = (a: bigint): Lamports => toLamports(a / WAD);
